import { escapeMarkup, expiry } from "./banner-request.ts";
import type { Delivery, Note, Outlet } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import { notifications } from "./notification-daemon.ts";
import { deliveryOf } from "./program-outlet.ts";
import type { RunProgram } from "./run-program.ts";

export type NotifySendParts = { run: RunProgram; env: Environment };

const name = "notify-send";
const deadlineMs = 5_000;

/** What this machine's notify-send can do: 0.7.9 (Debian 11, Ubuntu 22.04) gives no number and cannot replace. */
export type NotifySendOptions = { appName: boolean; printID: boolean; replaceID: boolean };

/** After `--` nothing is read as an option. Source: notify-send(1), libnotify 0.8. */
export const notifySendArguments = (
  note: Note,
  can: NotifySendOptions,
  { markup, replaces }: { markup: boolean; replaces?: string | undefined },
): string[] => [
  ...(can.appName ? ["--app-name=opencode"] : []),
  `--urgency=${note.urgency}`,
  ...(expiry(note) < 0 ? [] : [`--expire-time=${expiry(note)}`]),
  "--hint=string:desktop-entry:opencode",
  `--hint=string:category:x-opencode.${note.kind}`,
  ...(can.printID ? ["--print-id"] : []),
  ...(can.replaceID && replaces !== undefined ? [`--replace-id=${replaces}`] : []),
  "--",
  note.title,
  (markup ? escapeMarkup(note.body) : note.body).replaceAll("\\", "\\\\"), // it reads `\\n` in a body, not in a title
];

/** For when the bus library fails. Takes back through gdbus or busctl, where the number is known. */
export function createNotifySend({ run, env }: NotifySendParts): Outlet {
  const numbers = new Map<string, string>();
  let known: Promise<{ can: NotifySendOptions; markup: boolean }> | undefined;
  const ask = () => {
    known ??= probe({ run, env });
    return known;
  };

  async function send(note: Note, signal: AbortSignal): Promise<Delivery> {
    const { can, markup } = await ask();
    const args = notifySendArguments(note, can, { markup, replaces: numbers.get(note.key) });
    const ran = await run({ program: name, args, env, deadlineMs, signal });
    const number = ran.ok ? /^\d+$/m.exec(ran.value)?.[0] : undefined;
    if (number !== undefined) numbers.set(note.key, number);
    if (!ran.ok) known = undefined; // perhaps it has been installed or exchanged since
    return deliveryOf(name, ran);
  }

  return {
    name,
    send,
    async withdraw(key) {
      const number = numbers.get(key);
      numbers.delete(key);
      return number !== undefined && (await closeByNumber({ run, env }, number)).ok;
    },
    up: () => [...numbers].map(([key, id]) => ({ outlet: name, key, sessionID: "", id })),
    adopt(up) {
      for (const { key, id } of up) numbers.set(key, id);
    },
    replaces: async (key) => numbers.has(key) && (await ask()).can.replaceID,
  };
}

async function probe(parts: NotifySendParts) {
  const [help, capabilities] = await Promise.all([
    parts.run({ program: name, args: ["--help"], env: parts.env, deadlineMs }),
    callDaemon(parts, "GetCapabilities"),
  ]);
  const knows = (option: string) => help.ok && help.value.includes(option);
  return {
    can: { appName: knows("--app-name"), printID: knows("--print-id"), replaceID: knows("--replace-id") },
    // Nearly every daemon renders markup: escaped where it does not, a text is ugly; unescaped where it does, words are lost.
    markup: !capabilities.ok || capabilities.value.includes("body-markup"),
  };
}

const closeByNumber = (parts: NotifySendParts, number: string) => callDaemon(parts, "CloseNotification", number);

/** No version of notify-send can close or ask: two other programs can. */
async function callDaemon({ run, env }: NotifySendParts, member: string, number?: string) {
  const { destination, path } = notifications;
  const gdbus = [
    "call",
    "--session",
    "--dest",
    destination,
    "--object-path",
    path,
    "--method",
    `${destination}.${member}`,
  ];
  const busctl = ["--user", "call", destination, path, destination, member];
  const first = await run({ program: "gdbus", args: [...gdbus, ...(number ? [number] : [])], env, deadlineMs });
  if (first.ok || first.error.kind !== "missing") return first;
  return run({ program: "busctl", args: [...busctl, ...(number ? ["u", number] : [])], env, deadlineMs });
}
