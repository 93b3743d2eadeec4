import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../shared/clock.ts";
import { guarded } from "../../shared/guard.ts";
import type { Delivery, Note, NoteEvent, Outlet } from "./channel.ts";
import { type Environment, findProgram } from "./find-program.ts";
import { soundOf } from "./osascript.ts";
import { start } from "./run-program.ts";
import { groupOf, macMessage } from "./terminal-notifier.ts";

export type AlerterParts = { env: Environment; clock: Clock; onNote?: (event: NoteEvent) => void };

const name = "alerter";
/** alerter waits for the person; one that still lives after this has put its banner up, ms. */
const settledMs = 400;
/** One waiting process a banner: when there are more, the oldest banner goes. */
const mostWaiting = 8;
const shownSeconds = 3_600;

/**
 * Without `--message` it reads one from standard input (`macMessage`), which no other user can. `--option=value`, so that no
 * text can be taken for an option. Source: alerter 26.4, README and AlerterCommand.swift.
 */
export const alerterArguments = (note: Note): string[] => [
  "--title=opencode",
  `--group=${groupOf(note.key)}`,
  `--timeout=${shownSeconds}`,
  "--json",
  ...(soundOf(note) ? [`--sound=${soundOf(note)}`] : []),
  ...(labels(note).length > 0 ? [`--actions=${labels(note).join(",")}`] : []),
];

const buttons = ({ actions = [] }: Note) => actions.filter(({ key }) => key !== "default");
const argument = (label: string): string => label.replaceAll(",", " ");
const labels = (note: Note): string[] => buttons(note).map(({ label }) => argument(label));

/** The banner is up as long as the process lives: ending it takes the banner back. */
export function createAlerter({ env, clock, onNote }: AlerterParts): Outlet {
  const waiting = new Map<string, ChildProcess>();
  const end = (key: string) => {
    const child = waiting.get(key);
    waiting.delete(key);
    return child?.kill("SIGTERM") ?? false; // it withdraws its banner on this one
  };

  async function send(note: Note): Promise<Delivery> {
    const path = findProgram(name, env);
    if (path === undefined)
      return { ok: false, outlet: name, reason: "unavailable", detail: "alerter is not installed" };
    end(note.key);
    const child = start(path, alerterArguments(note), { env, stdio: ["pipe", "pipe", "ignore"] });
    if (!child.ok) return { ok: false, outlet: name, reason: "unavailable", detail: child.error.detail };
    child.value.stdin?.on("error", () => {}); // it may end without reading
    child.value.stdin?.end(macMessage(note));
    waiting.set(note.key, child.value);
    const [oldest] = waiting.keys();
    if (waiting.size > mostWaiting && oldest !== undefined) end(oldest);
    return follow(child.value, note);
  }

  function follow(child: ChildProcess, note: Note): Promise<Delivery> {
    let answer = "";
    const hear = guarded("alerter", (chunk: Buffer) => {
      if (answer.length < 4_096) answer += chunk.toString("utf8");
    });
    child.stdout?.on("data", hear);
    return new Promise((resolve) => {
      const cancel = clock.after(settledMs, () => resolve({ ok: true, outlet: name, certainty: "started" }));
      const ended = guarded("alerter", (code: number | null) => {
        cancel();
        const isOurs = waiting.get(note.key) === child;
        if (isOurs) waiting.delete(note.key);
        if (isOurs && code === 0) tell(note, answer, onNote);
        resolve(
          code === 0 || !isOurs
            ? { ok: true, outlet: name, certainty: "accepted" }
            : { ok: false, outlet: name, reason: "refused", detail: `exit ${code}` },
        );
      });
      child.on("close", ended);
    });
  }

  return {
    name,
    send,
    withdraw: async (key) => end(key),
    replaces: async (key) => waiting.has(key),
    async close() {
      for (const child of waiting.values()) child.unref();
    },
  };
}

/** `activationType` is one of contentsClicked, actionClicked, closed, timeout. */
function tell(note: Note, answer: string, onNote: AlerterParts["onNote"]): void {
  const { key, sessionID } = note;
  const type = /"activationType"\s*:\s*"(\w+)"/.exec(answer)?.[1];
  const value = /"activationValue"\s*:\s*"([^"]*)"/.exec(answer)?.[1];
  const pressed =
    type === "contentsClicked"
      ? note.actions?.find(({ key }) => key === "default")
      : buttons(note).find(({ label }) => type === "actionClicked" && argument(label) === value);
  if (pressed) onNote?.({ type: "action", key, sessionID, action: pressed.key });
  if (type === "closed" || type === "timeout") {
    onNote?.({ type: "closed", key, sessionID, why: type === "closed" ? "dismissed" : "expired" });
  }
}
