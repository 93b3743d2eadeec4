import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Compare = (lines: unknown[], expected: unknown, options: { explain: boolean }) => string[];
const isGrading = (module: unknown): module is { compare: Compare } =>
  typeof module === "object" && module !== null && "compare" in module && typeof module.compare === "function";

/** The grading of the shared traces (tests/traces/match.mjs): what is wrong with these decisions, empty when right. */
export async function complaintsAbout(lines: unknown[], expected: unknown): Promise<string[]> {
  const path: string = pathToFileURL(join(import.meta.dirname, "../traces/match.mjs")).href;
  const grading: unknown = await import(path);
  if (!isGrading(grading)) throw new Error("tests/traces/match.mjs has no compare");
  return [
    ...grading.compare(lines, expected, { explain: false }),
    ...grading.compare(lines, expected, { explain: true }),
  ];
}
