import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { readTextIfAny } from "../../files/read-file.ts";
import { existingFiles, maxHostFileBytes } from "../../host-files/host-files.ts";
import { editFailureText } from "./edit-failure.ts";
import { entriesOf } from "./entries.ts";
import { originalOf, type RecordedFile } from "./install-record.ts";
import { namesIn } from "./package-name.ts";
import { undoFile } from "./undo.ts";

/** `after` is undefined where the file goes. */
export type Undoing = { path: string; now: string; after: string | undefined; recorded?: RecordedFile };

type Candidate = Pick<Undoing, "path" | "now" | "recorded">;

/** What has to be written to undo: what is recorded, and any entry of ours in the files of those folders. */
export async function planUndo(
  recorded: readonly RecordedFile[],
  folders: readonly string[],
): Promise<Result<Undoing[], string>> {
  const candidates = await gather(recorded, folders);
  if (!candidates.ok) return candidates;
  const undoings: Undoing[] = [];
  for (const candidate of candidates.value) {
    const undone = await undo(candidate);
    if (!undone.ok) return undone;
    if (undone.value.after !== candidate.now) undoings.push(undone.value);
  }
  return ok(undoings);
}

async function gather(
  recorded: readonly RecordedFile[],
  folders: readonly string[],
): Promise<Result<Candidate[], string>> {
  const candidates: Candidate[] = [];
  for (const file of recorded) {
    const now = await readTextIfAny(file.path, { maxBytes: maxHostFileBytes });
    if (!now.ok) return fail(now.error.message);
    if (now.value !== undefined) candidates.push({ path: file.path, now: now.value, recorded: file });
  }
  const known = new Set(recorded.map(({ path }) => path));
  for (const role of ["server", "terminal", "client"] as const) {
    const files = await existingFiles(role, folders);
    if (!files.ok) return fail(files.error.message);
    for (const { path, text = "" } of files.value)
      if (!known.has(path) && (await listsUs(path, text))) candidates.push({ path, now: text });
  }
  return ok(candidates);
}

export async function listsUs(path: string, text: string): Promise<boolean> {
  return entriesOf(text, await namesIn(dirname(path), text)).some(({ ours }) => ours);
}

async function undo(candidate: Candidate): Promise<Result<Undoing, string>> {
  const { path, now, recorded } = candidate;
  const original = recorded === undefined ? ({ kind: "lost" } as const) : await originalOf(recorded);
  const names = await namesIn(dirname(path), now, original.kind === "text" ? original.text : "");
  const undone = undoFile(now, { ...recorded, original }, names);
  return undone.ok ? ok({ ...candidate, after: undone.value }) : fail(editFailureText(path, undone.error));
}
