import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Delivery, Note, Pushed } from "./channel.ts";
import { cleanNote } from "./clean-note.ts";
import { createLanes } from "./lanes.ts";
import { type PushRequest, type PushTarget, pushRequest, withdrawalRequest } from "./push-request.ts";

export type PushParts = {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  log: Log;
  /** For one try, ms. */
  deadlineMs?: number;
  /** What the one before it had sent. */
  adopted?: readonly Pushed[];
};

export type Push = {
  send(note: Note, target: PushTarget): Promise<Delivery>;
  /** Takes back what was sent for that key, wherever it was sent; true when a service did. */
  withdraw(key: string): Promise<boolean>;
  /** What may still be taken back. */
  sent(): Pushed[];
  close(): Promise<void>;
};

const retryAfterMs = 2_000;
const mostTries = 2;
/** Keys whose targets are remembered. */
const mostSent = 1_000;

type Answer = { ok: true } | { ok: false; reason: "refused" | "timeout" | "lost"; detail: string; again: boolean };

/** Messages that leave this machine. Neither address nor token is ever in a detail or a log line. */
export function createPush({ fetch, clock, log, deadlineMs = 10_000, adopted = [] }: PushParts): Push {
  const sent = new Map<string, Map<string, PushTarget>>();
  for (const { key, targets } of adopted) for (const target of targets) remember(key, target);
  const lanes = createLanes();
  const said = new Set<string>();
  const now = () => new Date(clock.wall()).toISOString();

  async function request(what: PushRequest): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await attempt(fetch, what, deadlineMs);
      if (answer.ok || !answer.again || tries === mostTries) return answer;
      await new Promise<void>((resolve) => clock.after(retryAfterMs, resolve));
    }
  }

  async function send(note: Note, target: PushTarget): Promise<Delivery> {
    remember(note.key, target);
    const answer = await request(pushRequest(cleanNote(note), target, now()));
    if (answer.ok) return { ok: true, outlet: target.type, certainty: "accepted" };
    if (answer.reason === "refused") sent.get(note.key)?.delete(placeOf(target)); // nothing there to take back
    logOnce(`push: ${target.type} ${answer.reason} (${answer.detail})`);
    return { ok: false, outlet: target.type, reason: answer.reason, detail: answer.detail };
  }

  function remember(key: string, target: PushTarget) {
    const targets = sent.get(key) ?? new Map();
    sent.delete(key);
    sent.set(key, targets.set(placeOf(target), target));
    const [oldest] = sent.keys();
    if (sent.size > mostSent && oldest !== undefined) sent.delete(oldest);
  }

  function logOnce(line: string) {
    if (said.has(line)) return;
    said.add(line);
    log(line);
  }

  return {
    // What goes to one place about one thing goes in order.
    send: (note, target) => lanes.run(`${note.key} ${placeOf(target)}`, () => send(note, target)),
    async withdraw(key) {
      const targets = [...(sent.get(key)?.values() ?? [])];
      sent.delete(key);
      const takeBack = (target: PushTarget) => attempt(fetch, withdrawalRequest(key, target, now()), deadlineMs);
      const answers = await Promise.all(
        targets.map((target) => lanes.run(`${key} ${placeOf(target)}`, () => takeBack(target))),
      );
      return answers.some(({ ok }) => ok);
    },
    sent: () => [...sent].map(([key, targets]) => ({ key, targets: [...targets.values()] })),
    async close() {
      sent.clear();
    },
  };
}

/** What a failed request says may hold the address: of an error only its code is kept. */
async function attempt(fetch: PushParts["fetch"], { url, ...init }: PushRequest, timeoutMs: number): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    response.body?.cancel().catch(() => {});
    if (response.ok) return { ok: true };
    const again = response.status === 429 || response.status >= 500;
    return { ok: false, reason: "refused", detail: `HTTP ${response.status}`, again };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") {
      return { ok: false, reason: "timeout", detail: `no answer within ${timeoutMs} ms`, again: false };
    }
    const code = codeOf(error);
    return { ok: false, reason: "lost", detail: `no connection (${code})`, again: code !== "redirect" };
  }
}

const placeOf = (target: PushTarget): string => `${target.url} ${target.type === "ntfy" ? target.topic : ""}`;

/** A word for the log: the system's code where there is one. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "unknown";
  return /redirect/i.test(`${code} ${String(cause)}`) ? "redirect" : code;
}
