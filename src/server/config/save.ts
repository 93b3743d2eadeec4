import { fail, ok, type Result } from "../../shared/result.ts";
import { fileFailure } from "../files/file-error.ts";
import { createFileSource } from "../files/file-source.ts";
import { withLockFile } from "../files/lock-file.ts";
import { behindLinks, writeAtomic } from "../files/write-atomic.ts";
import { findingText, problemText } from "./finding.ts";
import { plainValue, readTree } from "./json-text.ts";
import { checkConfig, maxConfigBytes, parseConfig } from "./parse.ts";
import { applyPatch, type ConfigPatch } from "./patch.ts";
import type { Config } from "./schema.ts";
import { listSettings } from "./settings.ts";
import { valueAt } from "./show.ts";

export type SaveFailure = {
  kind:
    | "bad-patch" // the change itself is wrong; nothing was touched
    | "not-allowed" // it is right, and not for this one to make; nothing was touched
    | "invalid-file" // the file has mistakes; writing could lose what stands there
    | "busy" // another process holds the lock
    | "not-written"; // the file system refused
  message: string;
};

/** A setting whose written value is another one now; null: it does not stand there any more. */
export type SettingChange = { key: string; value: unknown };

/** `changed`: the top-level sections whose text changed, in the order of the patch. */
export type Saved = { config: Config; changed: string[]; changes: SettingChange[] };

const lockWaitMs = 3_000;

/**
 * Merges a partial configuration into the file, field by field, keeping comments and order. Writers take turns, so that
 * none loses another's fields. Atomic, 0600. A missing file is made; an invalid one is left alone.
 */
export async function saveConfig({
  path,
  patch,
}: {
  path: string;
  patch: ConfigPatch;
}): Promise<Result<Saved, SaveFailure>> {
  const checked = checkConfig(patch);
  if (!checked.ok) return fail({ kind: "bad-patch", message: checked.error.map(findingText).join("; ") });
  try {
    const target = await behindLinks(path);
    const locked = await withLockFile(`${target}.lock`, { waitMs: lockWaitMs }, () => mergeInto(target, patch));
    if (locked.ok) return locked.value;
    const kind = locked.error.kind === "busy" ? "busy" : "not-written";
    return fail({ kind, message: locked.error.message });
  } catch (error) {
    return fail({ kind: "not-written", message: fileFailure(path, error).message });
  }
}

async function mergeInto(path: string, patch: ConfigPatch): Promise<Result<Saved, SaveFailure>> {
  const file = await createFileSource({ path, maxBytes: maxConfigBytes })();
  if (file.kind === "unreadable") return fail({ kind: "invalid-file", message: `not overwritten: ${file.why}` });
  const before = file.kind === "missing" || file.text.trim() === "" ? "{}\n" : file.text;
  const merged = mergeConfig(before, patch);
  if (!merged.ok) {
    const { kind, message } = merged.error;
    return fail({
      kind,
      message: kind === "invalid-file" ? `not overwritten: ${path} has mistakes: ${message}` : message,
    });
  }
  const { after, saved } = merged.value;
  if (after === before) return ok(saved);
  const written = await writeAtomic(path, after);
  if (!written.ok) return fail({ kind: "not-written", message: written.error.message });
  return ok(saved);
}

/** The text after a change, and what that makes of the configuration. Pure. */
export function mergeConfig(before: string, patch: ConfigPatch): Result<{ after: string; saved: Saved }, SaveFailure> {
  const valid = parseConfig(before);
  if (!valid.ok) return fail({ kind: "invalid-file", message: problemText(valid.error) });
  const after = applyPatch(before, patch);
  const merged = parseConfig(after);
  if (!merged.ok) return fail({ kind: "bad-patch", message: problemText(merged.error) });
  const changed = Object.keys(patch).filter((key) => applyPatch(before, { [key]: patch[key] }) !== before);
  return ok({ after, saved: { config: merged.value, changed, changes: changesBetween(before, after) } });
}

function changesBetween(before: string, after: string): SettingChange[] {
  const [was, is] = [before, after].map((text) => {
    const tree = readTree(text);
    return tree.ok ? plainValue(tree.value) : undefined;
  });
  return listSettings().flatMap(({ path }) => {
    const value = valueAt(is, path) ?? null;
    const isSame = JSON.stringify(value) === JSON.stringify(valueAt(was, path) ?? null);
    return isSame ? [] : [{ key: path.join("."), value }];
  });
}
