import { rm } from "node:fs/promises";
import * as z from "zod/mini";
import { parseJSON } from "../../shared/nesting.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type FileFailure, fileFailure } from "../files/file-error.ts";
import { createFileSource } from "../files/file-source.ts";
import type { FileText } from "../files/file-text.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/** `until`: wall clock, epoch ms. The shape `createMuteReader` takes. */
export type MuteState = { kind: "none" } | { kind: "until"; until: number } | { kind: "unreadable"; why: string };

const maxBytes = 4_096;
const muteSchema = z.strictObject({ until: z.iso.datetime({ offset: true }) });

/** Reads `mute.json`, again only when it changed; never rejects. */
export function muteFileSource(path: string): () => Promise<MuteState> {
  const read = createFileSource({ path, maxBytes });
  let last: { file: FileText; state: MuteState } | undefined;
  return async () => {
    const file = await read();
    if (last?.file !== file) last = { file, state: muteState(path, file) };
    return last.state;
  };
}

function muteState(path: string, file: FileText): MuteState {
  if (file.kind === "missing") return { kind: "none" };
  if (file.kind === "unreadable") return file;
  const parsed = muteSchema.safeParse(parseJSON(file.text));
  if (parsed.success) return { kind: "until", until: Date.parse(parsed.data.until) };
  return { kind: "unreadable", why: `${path}: expected { "until": a time such as "2026-01-05T18:00:00Z" }` };
}

/** Mutes every server of this user until then (wall clock, epoch ms). */
export const mute = (path: string, until: number): Promise<Result<void, FileFailure>> =>
  writeAtomic(path, `${JSON.stringify({ until: new Date(until).toISOString() })}\n`);

/** No mute is no failure. */
export async function unmute(path: string): Promise<Result<void, FileFailure>> {
  try {
    await rm(path, { force: true });
    return ok(undefined);
  } catch (error) {
    return fail(fileFailure(path, error));
  }
}
