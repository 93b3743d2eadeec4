import { isSoundName } from "../../shared/sound-name.ts";
import { keyText } from "./finding.ts";
import { checkConfig } from "./parse.ts";
import type { ConfigPatch } from "./patch.ts";
import { listSettings } from "./settings.ts";

/**
 * The settings that grant nothing: what they change is how loud and how often the person is called. The model may set
 * them, and a script may. Every other one (it sends data away, runs a program, lets an answer in, or nobody has thought
 * about it yet) is set by a person at a terminal, and by nobody else. A setting that is new is not on this list until
 * somebody decides; tests/server/config/open-settings.test.ts names those that were decided against.
 */
const open: ReadonlySet<string> = new Set([
  "locale",
  "notifications.mode",
  "notifications.voice",
  "notifications.sound",
  "alerts.pause.mode",
  "alerts.pause.settleMs",
  "alerts.pause.whenFocused",
  "alerts.done.mode",
  "alerts.done.settleMs",
  "alerts.done.whenFocused",
  "alerts.done.work",
  "alerts.done.delegated",
  "alerts.done.minSeconds",
  "alerts.error.mode",
  "alerts.error.settleMs",
  "alerts.error.whenFocused",
  "alerts.error.stuckAfterSeconds",
  "alerts.detail",
  "alerts.sound",
  "alerts.focus.enabled",
  "alerts.focus.suppress",
  "alerts.focus.idleSeconds",
  "alerts.focus.leaveSeconds",
  "alerts.focus.unseenSeconds",
  "alerts.focus.maxTerminals",
  "alerts.quietHours",
  "alerts.exclude",
  "alerts.reminder.afterSeconds",
  "alerts.reminder.times",
]);

/** Of these the model gives a sound's name, never a path: a player would open whatever it leads to. */
const sounds: ReadonlySet<string> = new Set(["alerts.sound", "notifications.sound"]);

/** No key of the schema has a dot: a joined path is one path only where its steps have none. */
const isOpen = (path: readonly string[]): boolean =>
  path.every((step) => !step.includes(".")) && open.has(path.join("."));

const settingPaths = listSettings().map(({ path }) => path);
const isSection = (path: readonly string[]): boolean =>
  settingPaths.some((setting) => setting.length > path.length && path.every((step, at) => setting[at] === step));

/**
 * What a patch touches that only a person at a terminal may set: each path as far as the schema knows it, or one step
 * further. A patch that only has keys nobody knows is the schema's to refuse, which says what was meant.
 */
export function closedIn(patch: ConfigPatch): string[][] {
  const closed = Object.entries(patch).flatMap(([key, value]) => closedAt([key], value));
  const isKnown = (path: readonly string[]) => isSection(path) || settingPaths.some((known) => sameKey(known, path));
  return closed.some(isKnown) || checkConfig(patch).ok ? closed : [];
}

function closedAt(path: string[], value: unknown): string[][] {
  if (value === undefined || isOpen(path)) return [];
  if (!isSection(path)) return [path];
  if (value === null) return closedBelow(path);
  if (typeof value !== "object" || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => closedAt([...path, key], inner));
}

/** A whole section goes: everything in it must be open. */
const closedBelow = (section: readonly string[]): string[][] =>
  settingPaths.filter((setting) => section.every((step, at) => setting[at] === step) && !isOpen(setting));

/** Why the model may not make this change; undefined when it may. */
export function refusalOf(patch: ConfigPatch): string | undefined {
  const closed = closedIn(patch);
  const [first] = closed;
  if (first !== undefined)
    return `${closed.map(keyText).join(", ")}: not for the model to set, for it can grant something, send something away or run something. ${byHand(first)}`;
  const path = soundPathIn(patch);
  if (path === undefined) return undefined;
  return `${keyText(path)}: expected a sound's name from the model, such as "complete", never a path. ${byHand(path)}`;
}

const sameKey = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((step, at) => step === other[at]);

/** What a person types. */
const byHand = (path: readonly string[]): string =>
  `A person types this in a terminal: beckon config set ${keyText(path)} <value>`;

const soundPathIn = (patch: ConfigPatch): string[] | undefined =>
  [...sounds].map((key) => key.split(".")).find((path) => isNoName(valueIn(patch, path)));

const isNoName = (value: unknown): boolean => typeof value === "string" && !isSoundName(value);

const valueIn = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    root,
  );
