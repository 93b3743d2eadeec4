import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { existingFiles, readText } from "../../host-files/host-files.ts";
import { editFailureText } from "./edit-failure.ts";
import { entriesOf } from "./entries.ts";
import { originalOf, type RecordedFile } from "./install-record.ts";
import { nameAt } from "./package-name.ts";
import { undoFile } from "./undo.ts";

/** `after` is undefined where the file goes. */
export type Undoing = { path: string; now: string; after: string | undefined; recorded?: RecordedFile };

type Candidate = Pick<Undoing, "path" | "now" | "recorded">;

/** What has to be written to undo: what is recorded, and any entry of ours in the files of those folders. */
export async function planUndo(
  recorded: readonly RecordedFile[],
  folders: readonly string[],
): Promise<Result<Undoing[], string>> {
  const candidates = gather(recorded, folders);
  if (!candidates.ok) return candidates;
  const undoings: Undoing[] = [];
  for (const candidate of candidates.value) {
    const undone = await undo(candidate);
    if (!undone.ok) return undone;
    if (undone.value.after !== candidate.now) undoings.push(undone.value);
  }
  return ok(undoings);
}

function gather(recorded: readonly RecordedFile[], folders: readonly string[]): Result<Candidate[], string> {
  const candidates: Candidate[] = [];
  for (const file of recorded) {
    const now = readText(file.path);
    if (!now.ok) return fail(now.error.message);
    if (now.value !== undefined) candidates.push({ path: file.path, now: now.value, recorded: file });
  }
  const known = new Set(recorded.map(({ path }) => path));
  for (const role of ["server", "terminal", "client"] as const) {
    const files = existingFiles(role, folders);
    if (!files.ok) return fail(files.error.message);
    const listing = files.value.filter(({ path, text = "" }) => !known.has(path) && listsUs(path, text));
    candidates.push(...listing.map(({ path, text = "" }) => ({ path, now: text })));
  }
  return ok(candidates);
}

const listsUs = (path: string, text: string): boolean =>
  entriesOf(text, nameAt(dirname(path))).some(({ ours }) => ours);

async function undo(candidate: Candidate): Promise<Result<Undoing, string>> {
  const { path, now, recorded } = candidate;
  const written =
    recorded === undefined
      ? { before: "{}", after: "{}" }
      : { before: await originalOf(recorded), after: recorded.after };
  const undone = undoFile(now, written, nameAt(dirname(path)));
  return undone.ok ? ok({ ...candidate, after: undone.value }) : fail(editFailureText(path, undone.error));
}
