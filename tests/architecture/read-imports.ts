import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export type Import = {
  /** Own files: the path below src/ ("shared/clock.ts"); others: as written ("node:fs", "ws"). */
  target: string;
  /** `type` leaves no trace at run time; `dynamic` is read at first use only. */
  how: "static" | "dynamic" | "type";
};
export type Source = { file: string; code: string; imports: Import[] };

/** Every file below `src`, with its imports. Paths use `/`. */
export function readSources(src: string): Source[] {
  return readdirSync(src, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && item.name.endsWith(".ts"))
    .map((item) => relative(src, join(item.parentPath, item.name)).split(sep).join("/"))
    .sort()
    .map((file) => {
      const text = withoutComments(readFileSync(join(src, file), "utf8"));
      return { file, code: withoutStrings(text), imports: importsOf(text).map((found) => located(file, found)) };
    });
}

/** TypeScript 7 has no JavaScript API; Biome's formatting makes import statements regular enough to be read like this. */
export function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(/^(?:import|export)\s(?:[^"'`;]*?\sfrom\s+)?"([^"]+)"/gm)].map(
    ([statement, target]): Import => ({
      target: target ?? "",
      how: /^(?:import|export)\s+type\b/.test(statement) || hasOnlyTypes(statement) ? "type" : "static",
    }),
  );
  const calls = [...text.matchAll(/(typeof\s+|:\s*|<)?\bimport\(\s*"([^"]+)"/g)].map(
    ([, typePosition, target]): Import => ({ target: target ?? "", how: typePosition ? "type" : "dynamic" }),
  );
  return [...statements, ...calls];
}

/** `import { type A, type B } from …` */
function hasOnlyTypes(statement: string): boolean {
  const names = /^\w+\s+\{([^}]*)\}/.exec(statement)?.[1];
  if (names === undefined) return false;
  const items = names.split(",").filter((item) => item.trim() !== "");
  return items.length > 0 && items.every((item) => /^\s*type\s/.test(item));
}

function located(file: string, found: Import): Import {
  if (!found.target.startsWith(".")) return found;
  return { ...found, target: join(dirname(file), found.target).split(sep).join("/") };
}

const literals = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;

export function withoutComments(text: string): string {
  const tokens = new RegExp(`${literals.source}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, "g");
  return text.replace(tokens, (token) => (token.startsWith("//") || token.startsWith("/*") ? " " : token));
}

function withoutStrings(text: string): string {
  return text.replace(new RegExp(literals.source, "g"), '""');
}
