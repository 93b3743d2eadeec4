import { listSettings, type Setting } from "./settings.ts";

export const schemaFileName = "config.schema.json";

/**
 * The file `beckon config init` writes: every setting with its default, as a comment. It changes nothing until a line
 * loses its slashes, so that a later default is not frozen today.
 */
export function templateText(): string {
  const head = [
    "// Settings of opencode-beckon. Every line below shows a default: take its // away to change it.",
    "// An edit counts at the next alert. Is it right? beckon config check",
  ];
  return `${head.join("\n")}\n{\n  "$schema": "./${schemaFileName}",\n${sectionLines(listSettings(), 0).join("\n")}\n}\n`;
}

/** Settings that share the first key below `depth` stand in one object. */
function sectionLines(settings: readonly Setting[], depth: number): string[] {
  const keys = [...new Set(settings.map(({ path }) => path[depth] ?? ""))];
  return keys.flatMap((key) => {
    const inside = settings.filter(({ path }) => path[depth] === key);
    const [first] = inside;
    if (first !== undefined && first.path.length === depth + 1) return ["", ...settingLines(first, key)];
    return ["", `  "${key}": {`, ...indent(withoutGap(sectionLines(inside, depth + 1))), "  },"];
  });
}

const settingLines = ({ description, expected, byDefault }: Setting, key: string): string[] => [
  `  // ${description}`,
  ...(repeats(description, expected) ? [] : [`  // Values: ${expected}`]),
  `  // "${key}": ${JSON.stringify(byDefault ?? null)},`,
];

/** «true or false» explains itself. */
const repeats = (description: string, expected: string) =>
  expected === "true or false" || description.includes(expected);

const withoutGap = (lines: readonly string[]) => (lines[0] === "" ? lines.slice(1) : lines);
const indent = (lines: readonly string[]) => lines.map((line) => (line === "" ? line : `  ${line}`));
