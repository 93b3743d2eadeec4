import { ok, type Result } from "../../../shared/result.ts";
import type { Role } from "../../host-files/host-files.ts";
import { readDocument, valueAt } from "../../host-files/read-document.ts";
import { entriesOf, type PluginKey, pluginKeys } from "./entries.ts";
import { addElement, type EditFailure, removeAt, setValue } from "./json-edit.ts";
import { inline } from "./json-layout.ts";
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
  const planned = edits(role, start, wish);
  return planned.ok && planned.value === start ? ok(text ?? "") : planned;
}

function edits(role: Role, start: string, wish: Wish): Edit {
  switch (role) {
    case "server":
      return listed(start, wish.line === "1" ? "plugin" : "plugins", wish);
    case "terminal":
      return chain(wish.line === "1" ? listed(start, "plugin", wish) : ok(start), (text) =>
        wish.line === "1" && wish.nativeAttentionOff ? attentionOff(text) : ok(text),
      );
    case "client":
      return wish.line === "2" && wish.nativeAttentionOff ? notifierOff(start) : ok(start);
  }
}

const emptyFile = (role: Role): string => {
  const schema = schemas[role];
  return schema === undefined ? "{}\n" : `{\n  "$schema": ${inline(schema)}\n}\n`;
};

/** Exactly one entry of ours, under that key, with that target. */
function listed(start: string, key: PluginKey, { spec, nameAt }: Wish): Edit {
  const ours = entriesOf(start, nameAt).filter((entry) => entry.ours);
  const kept = ours.find((entry) => entry.key === key);
  const others = ours.filter((entry) => entry !== kept).reverse();
  const alone = others.reduce<Edit>(
    (edit, entry) => chain(edit, (text) => removeAt(text, [entry.key, entry.index])),
    ok(start),
  );
  const tidy = chain(alone, (text) => withoutEmptied(text, start));
  if (kept === undefined) return chain(tidy, (text) => addElement(text, key, spec));
  if (kept.spec === spec) return tidy;
  const index = kept.index - others.filter((entry) => entry.key === key && entry.index < kept.index).length;
  return chain(tidy, (text) => replaceElement(text, key, index, withSpec(kept.entry, spec)));
}

/** A list that only we were in goes with us. */
function withoutEmptied(text: string, before: string): Edit {
  return pluginKeys.reduce<Edit>((edit, key) => {
    const now = readDocument(text)[key];
    const was = readDocument(before)[key];
    const emptied = Array.isArray(now) && now.length === 0 && Array.isArray(was) && was.length > 0;
    return emptied ? chain(edit, (shorter) => removeAt(shorter, [key])) : edit;
  }, ok(text));
}

function replaceElement(text: string, key: PluginKey, index: number, value: unknown): Edit {
  return setValue(text, [key, index], value);
}

function attentionOff(text: string): Edit {
  const path = ["attention", "enabled"] as const;
  return valueAt(readDocument(text), path) === true ? setValue(text, path, false) : ok(text);
}

function notifierOff(text: string): Edit {
  const list = readDocument(text).plugins;
  return Array.isArray(list) && list.includes(nativeNotifierOff)
    ? ok(text)
    : addElement(text, "plugins", nativeNotifierOff);
}

export const chain = (edit: Edit, next: (text: string) => Edit): Edit => (edit.ok ? next(edit.value) : edit);
