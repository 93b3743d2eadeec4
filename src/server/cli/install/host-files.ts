import { join } from "node:path";
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
import { listsUs } from "./plan-undo.ts";

export type Scope = "global" | "project";

/** Folders in which opencode looks for its files, best place for a new one first. */
export async function hostFolders(scope: Scope, place: Place, cwd: string): Promise<string[]> {
  if (scope === "global") return [globalFolder(place)];
  const project = await projectFolder(cwd);
  return [join(project, ".opencode"), project];
}

/** The file to write to: the one we are in already, else one that lists plugins, else any, else a new one. */
export async function chooseFile(role: Role, folders: readonly string[]): Promise<Result<HostFile, FileFailure>> {
  const existing = await existingFiles(role, folders);
  if (!existing.ok) return existing;
  const listsPlugins = ({ text }: HostFile) => {
    const { plugin, plugins } = readDocument(text ?? "");
    return Array.isArray(plugin) || Array.isArray(plugins);
  };
  const files = existing.value;
  const haveOurs = await Promise.all(files.map(({ path, text = "" }) => listsUs(path, text)));
  const chosen = files.find((_, at) => haveOurs[at]) ?? files.find(listsPlugins) ?? files[0];
  return ok(chosen ?? { role, path: join(folders[0] ?? ".", `${stems[role]}.json`), text: undefined });
}
