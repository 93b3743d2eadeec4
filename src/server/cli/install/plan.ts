import { fail, ok, type Result } from "../../../shared/result.ts";
import { addElement, removeAt, setValue } from "../../config/edit-text.ts";
import type { Role } from "../../host-files/host-files.ts";
import { readDocument, valueAt } from "../../host-files/read-document.ts";
import { type EditFailure, whatIsWrong } from "./edit-failure.ts";
import { entriesOf, isBlankList, type PluginKey, pluginKeys } from "./entries.ts";
import { type NameAt, withSpec } from "./plugin-entry.ts";

export type Line = "1" | "2";

export type Wish = { line: Line; spec: string; nativeAttentionOff: boolean; nameAt: NameAt };

type Edit = Result<string, EditFailure>;

/** The plugin id of opencode 2's own notifier, switched off by this entry of cli.json. */
export const nativeNotifierOff = "-opencode.notifications";

const schemas: Partial<Record<Role, string>> = {
  server: "https://opencode.ai/config.json",
  terminal: "https://opencode.ai/tui.json",
};

/** The text a file of that role should have so that the wish is fulfilled; the same text when it already is. */
export function planFile(role: Role, text: string | undefined, wish: Wish): Edit {
  const blank = text === undefined || text.trim() === "";
  const start = blank ? emptyFile(role) : text;
  const wrong = whatIsWrong(start);
  if (wrong !== undefined) return fail(wrong);
  const planned = edits(role, start, wish);
  return planned.ok && planned.value === start ? ok(text ?? "") : planned;
}

function edits(role: Role, start: string, wish: Wish): Edit {
  const isOff = wish.nativeAttentionOff;
  if (role === "server") return listed(start, wish.line === "1" ? "plugin" : "plugins", wish);
  if (role === "client") return wish.line === "2" && isOff ? notifierOff(start) : ok(start);
  if (wish.line === "2") return ok(start);
  const planned = listed(start, "plugin", wish);
  return planned.ok && isOff ? ok(attentionOff(planned.value)) : planned;
}

const emptyFile = (role: Role): string => {
  const schema = schemas[role];
  return schema === undefined ? "{}\n" : `{\n  "$schema": ${JSON.stringify(schema)}\n}\n`;
};

/** Exactly one entry of ours, under that key, with that target. */
function listed(start: string, key: PluginKey, { spec, nameAt }: Wish): Edit {
  const ours = entriesOf(start, nameAt).filter((entry) => entry.ours);
  const kept = ours.find((entry) => entry.key === key);
  const others = ours.filter((entry) => entry !== kept).reverse();
  const alone = others.reduce((text, entry) => removeAt(text, [entry.key, entry.index]), start);
  const tidy = withoutEmptied(alone, start);
  if (kept === undefined) return addToList(tidy, key, spec);
  return ok(setValue(tidy, [key, kept.index], withSpec(kept.entry, spec))); // the first of its list: nothing before it went
}

/** A list that only we were in goes with us. */
function withoutEmptied(text: string, before: string): string {
  return pluginKeys.reduce((shorter, key) => {
    const was = readDocument(before)[key];
    const emptied = isBlankList(shorter, key) && Array.isArray(was) && was.length > 0;
    return emptied ? removeAt(shorter, [key]) : shorter;
  }, text);
}

function attentionOff(text: string): string {
  const path = ["attention", "enabled"] as const;
  return valueAt(readDocument(text), path) === true ? setValue(text, path, false) : text;
}

function notifierOff(text: string): Edit {
  const list = readDocument(text).plugins;
  return Array.isArray(list) && list.includes(nativeNotifierOff)
    ? ok(text)
    : addToList(text, "plugins", nativeNotifierOff);
}

/** The list is made if it is not there; something else in its place is left alone. */
export function addToList(text: string, key: PluginKey, entry: unknown): Edit {
  const there = readDocument(text)[key] ?? [];
  return Array.isArray(there) ? ok(addElement(text, [key], entry)) : fail({ why: "not-an-object", at: key });
}
