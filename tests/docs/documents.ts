import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../server/cli/command-bench.ts";

export type Document = { path: string; text: string };
/** `note`: the HTML comment on the line above, such as `output: doctor`. */
export type Block = { path: string; line: number; language: string; note: string; text: string };

export const documents: readonly Document[] = [
  "README.md",
  ...readdirSync(join(repository, "docs")).map((name) => `docs/${name}`),
]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));

/** Every fenced block of a document. */
function blocksOf({ path, text }: Document): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", language] = /^( *)```(\S*)/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === "```");
    const note =
      /^<!-- (.*) -->$/.exec(
        lines
          .slice(0, at)
          .findLast((line) => line.trim() !== "")
          ?.trim() ?? "",
      )?.[1] ?? "";
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    blocks.push({ path, line: at + 1, language, note, text: body.join("\n") });
    at = end;
  }
  return blocks;
}

export const blocks: readonly Block[] = documents.flatMap(blocksOf);

/** The text around the blocks. */
const proseOf = ({ text }: Document): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");

/** `code` in running text. */
export const codeSpans = (document: Document): string[] =>
  [...proseOf(document).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = ""]) => code);
