import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../../shared/is-record.ts";
import type { Place } from "../../config/location.ts";
import { existingFiles, globalFolder, projectFolder, type Role } from "../../host-files/host-files.ts";
import { type AttentionFacts, attentionFacts, foldersFor } from "../../host-files/native-attention.ts";
import { whatIsWrong } from "../install/edit-failure.ts";
import { entriesOf, type PluginKey } from "../install/entries.ts";
import { nameAt } from "../install/package-name.ts";
import { isPath } from "../install/plugin-entry.ts";

/** What a path in an entry leads to; undefined for a package's name. */
export type EntryTarget =
  | { kind: "missing" | "file" | "tarball" | "unbuilt" }
  | { kind: "folder"; version: string | undefined };

export type EntryFact = { key: PluginKey; spec: string; ours: boolean; target: EntryTarget | undefined };

export type HostFileFacts = AttentionFacts & { isJSON: boolean; entries: readonly EntryFact[] };

/** Every file of opencode that lists plugins here: global, project, .opencode, and loose plugin files. */
export function gatherHostFiles(place: Place, cwd: string): HostFileFacts[] {
  const folders = foldersFor(place, cwd);
  const configured = (["server", "terminal", "client"] as const).flatMap((role) => {
    const files = existingFiles(role, role === "client" ? [globalFolder(place)] : folders);
    return files.ok ? files.value.map(({ path, text = "" }) => fileFacts(role, path, text)) : [];
  });
  const project = projectFolder(cwd);
  return [...configured, ...looseFiles(folders.filter((folder) => folder !== project))];
}

function fileFacts(role: Role, path: string, text: string): HostFileFacts {
  const folder = dirname(path);
  const entries = entriesOf(text, nameAt(folder)).map(({ key, spec, ours }) => ({
    key,
    spec,
    ours,
    target: isPath(spec) ? targetOf(folder, spec) : undefined,
  }));
  return {
    ...attentionFacts(role, path, text),
    isJSON: text.trim() === "" || whatIsWrong(text) === undefined,
    entries,
  };
}

function targetOf(folder: string, spec: string): EntryTarget {
  try {
    const path = spec.startsWith("file:") ? fileURLToPath(spec) : resolve(folder, spec);
    if (!existsSync(path)) return { kind: "missing" };
    if (!statSync(path).isDirectory()) return { kind: path.endsWith(".tgz") ? "tarball" : "file" };
    const isOurs = nameAt(folder)(spec) === "opencode-beckon";
    return isOurs && !existsSync(join(path, "dist"))
      ? { kind: "unbuilt" }
      : { kind: "folder", version: versionAt(path) };
  } catch {
    return { kind: "missing" };
  }
}

function versionAt(path: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return isRecord(manifest) && typeof manifest.version === "string" ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

/** Files opencode loads because of where they lie: `plugin/*.js`, `plugins/*.ts`. */
function looseFiles(folders: readonly string[]): HostFileFacts[] {
  const paths = folders.flatMap((folder) => ["plugin", "plugins"].flatMap((name) => listed(join(folder, name))));
  return paths.map((path) => {
    const text = readOrEmpty(path);
    const ours = text.includes("opencode-beckon");
    const entry: EntryFact = { key: "plugin", spec: path, ours, target: undefined };
    return {
      role: "loose",
      path,
      isJSON: true,
      entries: [entry],
      switchedOff: [],
      attention: undefined,
      attentionNotifications: undefined,
    };
  });
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.[jt]s$/.test(name) || existsSync(join(folder, name, "index.js")))
      .map((name) => join(folder, name));
  } catch {
    return []; // no such folder
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(statSync(path).isDirectory() ? join(path, "package.json") : path, "utf8");
  } catch {
    return "";
  }
}
