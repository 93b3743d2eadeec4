import { dirname, join } from "node:path";
import { ok, type Result } from "../../../shared/result.ts";
import type { Place } from "../../config/location.ts";
import type { FileFailure } from "../../files/file-error.ts";
import {
  existingFiles,
  globalFolder,
  type HostFile,
  projectFolder,
  type Role,
  stems,
} from "../../host-files/host-files.ts";
import { readDocument } from "../../host-files/read-document.ts";
import { entriesOf } from "./entries.ts";
import { nameAt } from "./package-name.ts";

export type Scope = "global" | "project";

/** Folders in which opencode looks for its files, best place for a new one first. */
export function hostFolders(scope: Scope, place: Place, cwd: string): string[] {
  if (scope === "global") return [globalFolder(place)];
  const project = projectFolder(cwd);
  return [join(project, ".opencode"), project];
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
