import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import type { Place } from "../../config/location.ts";
import { errorCode, type FileFailure, fileFailure } from "../../files/file-error.ts";
import { entriesOf, readDocument } from "./entries.ts";
import { nameAt } from "./package-name.ts";
import type { Role } from "./plan.ts";

export type Scope = "global" | "project";

/** `text` is undefined where there is no such file yet. */
export type HostFile = { role: Role; path: string; text: string | undefined };

const stems = { server: "opencode", terminal: "tui", client: "cli" } satisfies Record<Role, string>;

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

/** Folders in which opencode looks for its files, best place for a new one first. */
export function hostFolders(scope: Scope, place: Place, cwd: string): string[] {
  if (scope === "global") return [globalFolder(place)];
  const project = projectFolder(cwd);
  return [join(project, ".opencode"), project];
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

/** The file to write to: the one we are in already, else one that lists plugins, else any, else a new one. */
export function chooseFile(role: Role, folders: readonly string[]): Result<HostFile, FileFailure> {
  const existing = existingFiles(role, folders);
  if (!existing.ok) return existing;
  const hasOurs = ({ path, text }: HostFile) => entriesOf(text ?? "", nameAt(dirname(path))).some(({ ours }) => ours);
  const listsPlugins = ({ text }: HostFile) => {
    const { plugin, plugins } = readDocument(text ?? "");
    return Array.isArray(plugin) || Array.isArray(plugins);
  };
  const files = existing.value;
  const chosen = files.find(hasOurs) ?? files.find(listsPlugins) ?? files[0];
  return ok(chosen ?? { role, path: join(folders[0] ?? ".", `${stems[role]}.json`), text: undefined });
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
