import { join } from "node:path";
import { isRecord } from "../../shared/is-record.ts";
import type { Place } from "../config/location.ts";
import { readFileText } from "../files/read-file.ts";
import { globalFolder, maxBytesInHost, pathsFor, projectFolder, type Role } from "./host-files.ts";
import { readDocument, valueAt } from "./read-document.ts";

/** What one of opencode's files says about its own notifications, later files over earlier ones. */
export type AttentionFacts = {
  role: Role | "loose";
  path: string;
  /** `attention.enabled` and `attention.notifications`, where this file says them. */
  attention: boolean | undefined;
  attentionNotifications: boolean | undefined;
  /** Ids of plugins and selectors that are switched off here. */
  switchedOff: readonly string[];
};

/** opencode itself calls the person, beside us: where that stands, and what ends it. */
export type NativeAttention = { path: string; off: string };

export const nativeAttentionWords = ({ path, off }: NativeAttention): string =>
  `opencode calls you too: its own attention is on in ${path}; to switch it off: ${off}`;

const off = { terminal: "beckon install --native-attention-off", client: '"attention": { "enabled": false }' } as const;

/** tui.json is 1.x's and cli.json 2.x's: neither reads the other's. Undefined where nothing switches it on. */
export function nativeAttention(facts: readonly AttentionFacts[], line?: "v1" | "v2"): NativeAttention | undefined {
  const roles =
    line === undefined ? (["terminal", "client"] as const) : ([line === "v1" ? "terminal" : "client"] as const);
  return roles
    .flatMap(
      (role) =>
        onIn(
          role,
          facts.filter((file) => file.role === role),
        ) ?? [],
    )
    .at(0);
}

function onIn(role: "terminal" | "client", files: readonly AttentionFacts[]): NativeAttention | undefined {
  const saying = files.filter(({ attention }) => attention !== undefined).at(-1);
  const notifies = files.filter(({ attentionNotifications }) => attentionNotifications !== undefined).at(-1);
  if (saying?.attention !== true || notifies?.attentionNotifications === false) return undefined;
  return files.some(isNotifierOff) ? undefined : { path: saying.path, off: off[role] };
}

/** 2.x: its own notifier is a plugin, and can be switched off alone. */
export const isNotifierOff = ({ switchedOff }: Pick<AttentionFacts, "switchedOff">): boolean =>
  switchedOff.some((id) => id === "opencode.notifications" || id === "opencode.*");

/** The folders in which opencode looks for its files when it works in that one, the weakest first. */
export async function foldersFor(place: Place, cwd: string): Promise<string[]> {
  const project = await projectFolder(cwd);
  return [...new Set([globalFolder(place), project, join(project, ".opencode")])];
}

export function attentionFacts(role: Role, path: string, text: string): AttentionFacts {
  const document = readDocument(text);
  const enabled: unknown = document.plugin_enabled;
  const listed = [document.plugin, document.plugins].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return {
    role,
    path,
    attention: boolean(valueAt(document, ["attention", "enabled"])),
    attentionNotifications: boolean(valueAt(document, ["attention", "notifications"])),
    switchedOff: [
      ...Object.entries(isRecord(enabled) ? enabled : {}).flatMap(([id, on]) => (on === false ? [id] : [])),
      ...listed.flatMap((entry) => (typeof entry === "string" && entry.startsWith("-") ? [entry.slice(1)] : [])),
    ],
  };
}

const boolean = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);

/** Looks at the files of a running opencode, as they are now. What cannot be read says nothing. */
export async function findNativeAttention(
  place: Place,
  line: "v1" | "v2",
  directories: readonly string[],
): Promise<NativeAttention | undefined> {
  const role = line === "v1" ? "terminal" : "client";
  const folders =
    line === "v1"
      ? await Promise.all(directories.map((directory) => foldersFor(place, directory)))
      : [[globalFolder(place)]];
  for (const some of folders) {
    const files = await Promise.all(pathsFor(role, some).map((path) => factsAt(role, path)));
    const on = nativeAttention(files.flat(), line);
    if (on !== undefined) return on;
  }
  return undefined;
}

async function factsAt(role: Role, path: string): Promise<AttentionFacts[]> {
  const text = await readFileText(path, { maxBytes: maxBytesInHost });
  return text.ok ? [attentionFacts(role, path, text.value)] : [];
}
