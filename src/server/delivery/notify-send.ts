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

/** A banner's number, and the daemon process that gave it: its unique name on the bus, "" where nobody can ask. */
type Numbered = { number: string; owner: string };

/** For when the bus library fails. Takes back through gdbus or busctl, where the number is known. */
export function createNotifySend({ run, env }: NotifySendParts): Outlet {
  const shown = new Map<string, Numbered>();
  let known: Promise<{ can: NotifySendOptions; markup: boolean }> | undefined;
  const ask = () => {
    known ??= probe({ run, env });
    return known;
  };

  /** The number, where the daemon is still the one that gave it: the next one gives the same numbers to others. */
  async function numberOf(key: string): Promise<string | undefined> {
    const before = shown.get(key);
    if (before === undefined) return undefined;
    if ((await ownerOf({ run, env })) === before.owner) return before.number;
    shown.delete(key);
    return undefined;
  }

  async function send(note: Note, signal: AbortSignal): Promise<Delivery> {
    const [{ can, markup }, replaces] = await Promise.all([ask(), numberOf(note.key)]);
    const args = notifySendArguments(note, can, { markup, replaces });
    const ran = await run({ program: name, args, env, deadlineMs, signal });
    const number = ran.ok ? /^\d+$/m.exec(ran.value)?.[0] : undefined;
    if (number !== undefined) shown.set(note.key, { number, owner: await ownerOf({ run, env }) });
    if (!ran.ok) known = undefined; // perhaps it has been installed or exchanged since
    return deliveryOf(name, ran);
  }

  return {
    name,
    send,
    async withdraw(key) {
      const number = await numberOf(key);
      shown.delete(key);
      return number !== undefined && (await closeByNumber({ run, env }, number)).ok;
    },
    up: () =>
      [...shown].map(([key, { number, owner }]) => ({ outlet: name, key, sessionID: "", id: `${number} ${owner}` })),
    adopt(up) {
      for (const { key, id } of up) {
        const [number = "", owner = ""] = id.split(" ");
        shown.set(key, { number, owner });
      }
    },
    replaces: async (key) => (await numberOf(key)) !== undefined && (await ask()).can.replaceID,
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

const closeByNumber = (parts: NotifySendParts, number: string) =>
  callDaemon(parts, "CloseNotification", { gdbus: [number], busctl: ["u", number] });

async function ownerOf(parts: NotifySendParts): Promise<string> {
  const asked = notifications.destination;
  const answer = await callBus(parts, bus, "GetNameOwner", { gdbus: [asked], busctl: ["s", asked] });
  return answer.ok ? (/:[\d.]+/.exec(answer.value)?.[0] ?? "") : "";
}

const bus = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus" };

const callDaemon = (parts: NotifySendParts, member: string, args?: Arguments) =>
  callBus(parts, notifications, member, args);

/** Each program has its own way to write them. */
type Arguments = { gdbus: readonly string[]; busctl: readonly string[] };

/** No version of notify-send can close or ask: two other programs can. */
async function callBus(
  { run, env }: NotifySendParts,
  { destination, path }: typeof bus,
  member: string,
  args: Arguments = { gdbus: [], busctl: [] },
) {
  const gdbus = ["call", "--session", "--dest", destination, "--object-path", path, "--method"];
  const whole = [...gdbus, `${destination}.${member}`, ...args.gdbus];
  const first = await run({ program: "gdbus", args: whole, env, deadlineMs });
  if (first.ok || first.error.kind !== "missing") return first;
  const busctl = ["--user", "call", destination, path, destination, member, ...args.busctl];
  return run({ program: "busctl", args: busctl, env, deadlineMs });
}
