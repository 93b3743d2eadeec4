import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../../shared/is-record.ts";
import { parseJSON } from "../../../shared/nesting.ts";
import { readFileText } from "../../files/read-file.ts";
import { entriesOf } from "./entries.ts";
import { isPath, type NameAt } from "./plugin-entry.ts";

const maxManifestBytes = 1_024 * 1_024;
/** Nobody lists more plugins by path; whatever follows is known by its path alone. */
const mostPaths = 100;

/**
 * What the packages are called that these texts of one configuration file load by path. Asked beforehand, so that
 * planning needs no disk. `folder`: the file's own; a path in it is relative to that.
 */
export async function namesIn(folder: string, ...texts: readonly (string | undefined)[]): Promise<NameAt> {
  const specs = texts.flatMap((text = "") => entriesOf(text, () => undefined).map(({ spec }) => spec)).filter(isPath);
  const known = [...new Set(specs)].slice(0, mostPaths);
  const names = new Map(await Promise.all(known.map(async (spec) => [spec, await nameAt(folder, spec)] as const)));
  return (spec) => names.get(spec);
}

/** Undefined where there is no package: its path is all that is known then. */
async function nameAt(folder: string, spec: string): Promise<string | undefined> {
  const path = pathOf(folder, spec);
  const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || facts === undefined) return undefined;
  return facts.isDirectory() ? nameFrom(await readManifest(path)) : nameAround(dirname(path));
}

/** Undefined for an address that is no path here. */
export function pathOf(folder: string, spec: string): string | undefined {
  try {
    return spec.startsWith("file:") ? fileURLToPath(spec) : resolve(folder, spec);
  } catch {
    return undefined;
  }
}

/** Of the package a file belongs to: 1.x loads a single file, too. */
async function nameAround(folder: string): Promise<string | undefined> {
  const manifest = await readManifest(folder);
  if (manifest !== undefined || dirname(folder) === folder) return nameFrom(manifest);
  return nameAround(dirname(folder));
}

/** A folder's package.json; undefined where there is none, or none that can be read. */
export async function readManifest(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFileText(join(folder, "package.json"), { maxBytes: maxManifestBytes });
  const manifest = text.ok ? parseJSON(text.value) : undefined;
  return isRecord(manifest) ? manifest : undefined;
}

const nameFrom = (manifest: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof manifest?.name === "string" ? manifest.name : undefined;
