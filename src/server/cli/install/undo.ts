import { ok, type Result } from "../../../shared/result.ts";
import { readDocument, valueAt } from "../../host-files/read-document.ts";
import { entriesOf, pluginKeys } from "./entries.ts";
import { addElement, type EditFailure, removeAt, setValue } from "./json-edit.ts";
import { chain, nativeNotifierOff } from "./plan.ts";
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
  const undone = [withoutOurs, attentionBack, notifierBack, withoutOurLists].reduce<Edit>(
    (edit, step) => chain(edit, (text) => step(text, { before: before ?? "{}", after }, nameAt)),
    ok(current),
  );
  if (!undone.ok || before !== undefined) return undone;
  return ok(Object.keys(readDocument(undone.value)).every((key) => key === "$schema") ? undefined : undone.value);
}

type Step = (text: string, written: { before: string; after: string }, nameAt: NameAt) => Edit;

const withoutOurs: Step = (text, { before }, nameAt) => {
  const ours = entriesOf(text, nameAt).filter((entry) => entry.ours);
  const earlier = entriesOf(before, nameAt).filter((entry) => entry.ours);
  const removed = ours
    .reverse()
    .reduce<Edit>((edit, { key, index }) => chain(edit, (shorter) => removeAt(shorter, [key, index])), ok(text));
  return earlier.reduce<Edit>(
    (edit, { key, entry }) => chain(edit, (shorter) => addElement(shorter, key, entry)),
    removed,
  );
};

/** Only what the installation itself switched off is switched on again. */
const attentionBack: Step = (text, { before, after }) => {
  const path = ["attention", "enabled"] as const;
  const [was, set, now] = [before, after, text].map((document) => valueAt(readDocument(document), path));
  return was === true && set === false && now === false ? setValue(text, path, true) : ok(text);
};

const notifierBack: Step = (text, { before, after }) => {
  const [was, set, now] = [before, after, text].map(selectorIndex);
  return was === -1 && set !== -1 && now !== undefined && now !== -1 ? removeAt(text, ["plugins", now]) : ok(text);
};

function selectorIndex(text: string): number {
  const list = readDocument(text).plugins;
  return Array.isArray(list) ? list.indexOf(nativeNotifierOff) : -1;
}

const withoutOurLists: Step = (text, { before }) =>
  pluginKeys.reduce<Edit>((edit, key) => {
    const now = readDocument(text)[key];
    const emptied = Array.isArray(now) && now.length === 0 && readDocument(before)[key] === undefined;
    return emptied ? chain(edit, (shorter) => removeAt(shorter, [key])) : edit;
  }, ok(text));
