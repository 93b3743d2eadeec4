import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ok, type Result } from "../../shared/result.ts";
import type { Place } from "../config/location.ts";
import type { FileFailure } from "../files/file-error.ts";
import { readTextIfAny } from "../files/read-file.ts";

/** Which of opencode's own files: opencode.json, tui.json (1.x), cli.json (2.x). */
export type Role = "server" | "terminal" | "client";

/** A real one has a few KiB, with a schema's worth of agents some hundred. The command line takes the time. */
export const maxHostFileBytes = 16 * 1_024 * 1_024;
/** In a host's own process: to parse more would keep it from its work. */
export const maxBytesInHost = 1_024 * 1_024;

/** `text` is undefined where there is no such file yet. */
export type HostFile = { role: Role; path: string; text: string | undefined };

export const stems = { server: "opencode", terminal: "tui", client: "cli" } satisfies Record<Role, string>;

/** opencode's own configuration folder; the same on every platform. */
export const globalFolder = ({ env, home }: Place): string =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");

/** The nearest folder upwards that opencode would call the project: with its configuration, or a worktree's root. */
export async function projectFolder(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await hasMark(folder)) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

async function hasMark(folder: string): Promise<boolean> {
  const marks = [".opencode", "opencode.json", "opencode.jsonc", ".git"];
  const found = await Promise.all(marks.map((mark) => exists(join(folder, mark))));
  return found.includes(true);
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Where a file of that role may stand in those folders, in their order. */
export const pathsFor = (role: Role, folders: readonly string[]): string[] =>
  folders.flatMap((folder) => [".json", ".jsonc"].map((end) => join(folder, stems[role] + end)));

/** Every file of that role that exists; a failure where one of them cannot be read as it is. */
export async function existingFiles(
  role: Role,
  folders: readonly string[],
  maxBytes = maxHostFileBytes,
): Promise<Result<HostFile[], FileFailure>> {
  const found: HostFile[] = [];
  for (const path of pathsFor(role, folders)) {
    const text = await readTextIfAny(path, { maxBytes });
    if (!text.ok) return text;
    if (text.value !== undefined) found.push({ role, path, text: text.value });
  }
  return ok(found);
}
