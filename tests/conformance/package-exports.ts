import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const conditions = ["bun", "node", "import", "default"];
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function target(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(target).find((each) => each !== undefined);
  if (!isRecord(value)) return undefined;
  for (const [condition, inner] of Object.entries(value))
    if (conditions.includes(condition)) {
      const found = target(inner);
      if (found !== undefined) return found;
    }
  return undefined;
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

function readManifest(directory: string): Record<string, unknown> {
  const file = join(directory, "package.json");
  const json: unknown = isFile(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return isRecord(json) ? json : {};
}

/**
 * The file a package gives for `.` or `./server`; undefined when it has none. Once `exports` is there nothing else
 * counts; without it the subpath is a file beside package.json.
 */
export function packageEntry(directory: string, subpath: "." | `./${string}`): string | undefined {
  const { exports, main } = readManifest(directory);
  const found = (path: string | undefined) =>
    path !== undefined && isFile(join(directory, path)) ? join(directory, path) : undefined;
  if (exports !== undefined) {
    const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
    return found(target(isMap ? exports[subpath] : subpath === "." ? exports : undefined));
  }
  if (subpath === ".") return found(typeof main === "string" ? main : "index.js") ?? found("index.js");
  return found(`${subpath}.js`);
}
