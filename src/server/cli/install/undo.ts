import { fail, ok, type Result } from "../../../shared/result.ts";
import { removeAt, setValue } from "../../config/edit-text.ts";
import { readDocument, valueAt } from "../../host-files/read-document.ts";
import { type EditFailure, whatIsWrong } from "./edit-failure.ts";
import { entriesOf, pluginKeys } from "./entries.ts";
import { addToList, nativeNotifierOff } from "./plan.ts";
import type { NameAt } from "./plugin-entry.ts";

/** What an installation found and what it left. */
export type Written = { before: string | undefined; after: string };

type Edit = Result<string, EditFailure>;

/**
 * Takes out of a file that has changed since what the installation put in, and nothing else.
 * Undefined when nothing is left that was not ours: the file did not exist before.
 */
export function undoFile(
  current: string,
  { before, after }: Written,
  nameAt: NameAt,
): Result<string | undefined, EditFailure> {
  if (current === after) return ok(before);
  const wrong = whatIsWrong(current);
  if (wrong !== undefined) return fail(wrong);
  const texts = { before: before ?? "{}", after };
  const without = withoutOurs(current, texts.before, nameAt);
  if (!without.ok) return without;
  const undone = withoutOurLists(notifierBack(attentionBack(without.value, texts), texts), texts);
  const isOnlyOurs = before === undefined && Object.keys(readDocument(undone)).every((key) => key === "$schema");
  return ok(isOnlyOurs ? undefined : undone);
}

type Texts = { before: string; after: string };

/** An entry of ours that stood there before is there again. */
function withoutOurs(text: string, before: string, nameAt: NameAt): Edit {
  const oursIn = (document: string) => entriesOf(document, nameAt).filter(({ ours }) => ours);
  const without = oursIn(text)
    .reverse()
    .reduce((shorter, { key, index }) => removeAt(shorter, [key, index]), text);
  return oursIn(before).reduce<Edit>(
    (edit, { key, entry }) => (edit.ok ? addToList(edit.value, key, entry) : edit),
    ok(without),
  );
}

/** Only what the installation itself switched off is switched on again. */
function attentionBack(text: string, { before, after }: Texts): string {
  const path = ["attention", "enabled"] as const;
  const [was, set, now] = [before, after, text].map((document) => valueAt(readDocument(document), path));
  return was === true && set === false && now === false ? setValue(text, path, true) : text;
}

function notifierBack(text: string, { before, after }: Texts): string {
  const [was, set, now] = [before, after, text].map(selectorIndex);
  return was === -1 && set !== -1 && now !== undefined && now !== -1 ? removeAt(text, ["plugins", now]) : text;
}

function selectorIndex(text: string): number {
  const list = readDocument(text).plugins;
  return Array.isArray(list) ? list.indexOf(nativeNotifierOff) : -1;
}

const withoutOurLists = (text: string, { before }: Texts): string =>
  pluginKeys.reduce((shorter, key) => {
    const now = readDocument(shorter)[key];
    const emptied = Array.isArray(now) && now.length === 0 && readDocument(before)[key] === undefined;
    return emptied ? removeAt(shorter, [key]) : shorter;
  }, text);
