import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Place } from "../config/location.ts";
import { errorCode, type FileFailure, fileFailure } from "../files/file-error.ts";

/** Which of opencode's own files: opencode.json, tui.json (1.x), cli.json (2.x). */
export type Role = "server" | "terminal" | "client";

/** `text` is undefined where there is no such file yet. */
export type HostFile = { role: Role; path: string; text: string | undefined };

export const stems = { server: "opencode", terminal: "tui", client: "cli" } satisfies Record<Role, string>;

/** opencode's own configuration folder; the same on every platform. */
export const globalFolder = ({ env, home }: Place): string =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");

/** The nearest folder upwards that opencode would call the project: with its configuration, or a worktree's root. */
export function projectFolder(cwd: string): string {
  const marks = [".opencode", "opencode.json", "opencode.jsonc", ".git"];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

/** Every file of that role that exists. */
export function existingFiles(role: Role, folders: readonly string[]): Result<HostFile[], FileFailure> {
  const found: HostFile[] = [];
  for (const path of folders.flatMap((folder) => [".json", ".jsonc"].map((end) => join(folder, stems[role] + end)))) {
    const text = readText(path);
    if (!text.ok) return text;
    if (text.value !== undefined) found.push({ role, path, text: text.value });
  }
  return ok(found);
}

export function readText(path: string): Result<string | undefined, FileFailure> {
  try {
    return ok(readFileSync(path, "utf8"));
  } catch (error) {
    return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR"
      ? ok(undefined)
      : fail(fileFailure(path, error));
  }
}
