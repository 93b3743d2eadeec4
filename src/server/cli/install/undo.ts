import { fail, ok, type Result } from "../../../shared/result.ts";
import { removeAt, setValue } from "../../config/edit-text.ts";
import { readDocument, valueAt } from "../../host-files/read-document.ts";
import { type EditFailure, whatIsWrong } from "./edit-failure.ts";
import { entriesOf, isBlankList, pluginKeys } from "./entries.ts";
import type { Deed, Original } from "./install-record.ts";
import { addToList, nativeNotifierOff } from "./plan.ts";
import type { NameAt } from "./plugin-entry.ts";

/** What an installation found, what it left and what it did; `did` is unknown of one without a record. */
export type Written = { original: Original; after?: string; did?: readonly Deed[] | undefined };

type Edit = Result<string, EditFailure>;

const attention = ["attention", "enabled"] as const;

/** What was done to a text beyond entries of ours. */
export function deedsOf(before: string | undefined, after: string): Deed[] {
  const [was, now] = [before ?? "{}", after].map(readDocument);
  const madeLists = pluginKeys.filter((key) => was?.[key] === undefined && Array.isArray(now?.[key]));
  const isAttentionOff = valueAt(was, attention) === true && valueAt(now, attention) === false;
  const isNotifierOff = selectorIndex(was) === -1 && selectorIndex(now) !== -1;
  return [
    ...madeLists,
    ...(isAttentionOff ? (["attention"] as const) : []),
    ...(isNotifierOff ? (["notifier"] as const) : []),
  ];
}

/**
 * Takes out of a file what the installation put in, and nothing else; untouched since, it is the original again to the
 * byte. Without the original nothing is guessed: the entries go. Undefined when nothing is left that was not ours: the
 * file did not exist before.
 */
export function undoFile(
  current: string,
  { original, after, did }: Written,
  nameAt: NameAt,
): Result<string | undefined, EditFailure> {
  if (current === after && original.kind !== "lost") return ok(original.kind === "text" ? original.text : undefined);
  const wrong = whatIsWrong(current);
  if (wrong !== undefined) return fail(wrong);
  const known = original.kind === "text" && after !== undefined ? deedsOf(original.text, after) : undefined;
  const deeds = did ?? known;
  const without = withoutOurs(current, original, nameAt);
  if (!without.ok) return without;
  const undone = withoutOurLists(notifierBack(attentionBack(without.value, deeds), deeds), current, deeds);
  const isOnlyOurs = original.kind === "none" && Object.keys(readDocument(undone)).every((key) => key === "$schema");
  return ok(isOnlyOurs ? undefined : undone);
}

/** An entry of ours that stood there before is there again. */
function withoutOurs(text: string, original: Original, nameAt: NameAt): Edit {
  const oursIn = (document: string) => entriesOf(document, nameAt).filter(({ ours }) => ours);
  const without = oursIn(text)
    .reverse()
    .reduce((shorter, { key, index }) => removeAt(shorter, [key, index]), text);
  return oursIn(original.kind === "text" ? original.text : "").reduce<Edit>(
    (edit, { key, entry }) => (edit.ok ? addToList(edit.value, key, entry) : edit),
    ok(without),
  );
}

/** Only what the installation itself switched off is switched on again. */
function attentionBack(text: string, deeds: readonly Deed[] = []): string {
  const isOff = valueAt(readDocument(text), attention) === false;
  return deeds.includes("attention") && isOff ? setValue(text, attention, true) : text;
}

function notifierBack(text: string, deeds: readonly Deed[] = []): string {
  const index = selectorIndex(readDocument(text));
  return deeds.includes("notifier") && index !== -1 ? removeAt(text, ["plugins", index]) : text;
}

function selectorIndex(document: Readonly<Record<string, unknown>> | undefined): number {
  const list = document?.plugins;
  return Array.isArray(list) ? list.indexOf(nativeNotifierOff) : -1;
}

/** A list that was emptied and is ours, or of which nobody knows whose it was, goes; never with a comment in it. */
const withoutOurLists = (text: string, current: string, deeds: readonly Deed[] | undefined): string =>
  pluginKeys.reduce((shorter, key) => {
    const wasFull = lengthOf(readDocument(current)[key]) > 0;
    const isOurs = deeds === undefined || deeds.includes(key);
    return wasFull && isOurs && isBlankList(shorter, key) ? removeAt(shorter, [key]) : shorter;
  }, text);

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
