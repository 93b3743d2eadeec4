import { createHash } from "node:crypto";
import type { Delivery, Note, Outlet } from "./channel.ts";
import { type MacParts, soundOf } from "./osascript.ts";
import { deliveryOf } from "./program-outlet.ts";

const name = "terminal-notifier";
const deadlineMs = 5_000;

/** One live banner a group. A digest, because a key may hold any text. */
export const groupOf = (key: string): string =>
  `opencode.${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;

/**
 * What a person reads comes by standard input (`macMessage`): every user may read the arguments. Its parser reads values
 * as property lists, so a sound's name begins with a letter or a word of ours. Never `-sender` (hangs since Ventura) nor
 * `-execute` (a shell).
 */
export const terminalNotifierArguments = (note: Note, bundleID: string | undefined): string[] => [
  ...["-title", "opencode", "-group", groupOf(note.key)],
  ...(soundOf(note) ? ["-sound", plain(soundOf(note) ?? "")] : []),
  ...(bundleID ? ["-activate", bundleID] : []),
];

/** For a program that takes a message by standard input and a title by argument alone: both in one. */
export const macMessage = ({ title, body }: Note): string => (body === "" ? title : `${title}\n${body}`);

const plain = (text: string): string => (/^[\p{L}\p{N}]/u.test(text) ? text : `opencode: ${text}`);

/** The app that started us; a bundle id can only hold these. */
export const terminalBundle = (env: MacParts["env"]): string | undefined =>
  /^[A-Za-z0-9.-]+$/.exec(env.__CFBundleIdentifier ?? "")?.[0];

/** Version 3 and later only: 2 can report success and show nothing on current systems. */
export function createTerminalNotifier({ run, env }: MacParts): Outlet {
  const shown = new Set<string>();
  let isUsable: Promise<boolean> | undefined;
  const probe = async () => {
    const version = await run({ program: name, args: ["-version"], env, deadlineMs });
    return version.ok && Number(/(\d+)\.\d+/.exec(version.value)?.[1] ?? 0) >= 3;
  };

  async function send(note: Note, signal: AbortSignal): Promise<Delivery> {
    isUsable ??= probe();
    if (!(await isUsable)) {
      isUsable = undefined;
      return {
        ok: false,
        outlet: name,
        reason: "unavailable",
        detail: "terminal-notifier 3 or later is not installed",
      };
    }
    const args = terminalNotifierArguments(note, terminalBundle(env));
    const ran = await run({ program: name, args, env, deadlineMs, signal, input: macMessage(note) });
    if (ran.ok) shown.add(note.key);
    return deliveryOf(name, ran);
  }

  return {
    name,
    send,
    withdraw: async (key) =>
      shown.delete(key) && (await run({ program: name, args: ["-remove", groupOf(key)], env, deadlineMs })).ok,
    replaces: async (key) => shown.has(key),
    up: () => [...shown].map((key) => ({ outlet: name, key, sessionID: "", id: "" })),
    adopt(up) {
      for (const { key } of up) shown.add(key);
    },
  };
}
