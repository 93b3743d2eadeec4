import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wordedDecisions } from "../../src/server/cli/why-words.ts";
import { settingsBelow } from "../../src/server/config/show.ts";
import { createBench, repository } from "../server/cli/command-bench.ts";
import { blocks, codeSpans, type Document, documents } from "./documents.ts";
import { failureKinds } from "./failure-kinds.ts";
import { complaintAbout, valuesOf } from "./json-values.ts";
import { outputs } from "./outputs.ts";
import { commandLines, createSandbox } from "./sandbox.ts";

const at = ({ path, line }: { path: string; line: number }): string => `${path}:${line}`;

describe("a command of the pages", () => {
  let sandbox: Awaited<ReturnType<typeof createSandbox>>;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });
  afterAll(() => sandbox?.remove());

  const lines = blocks
    .filter(({ language }) => language === "sh")
    .flatMap((block) => commandLines(block.text).map((line) => [at(block), line] as const));

  // A finding (1) is an answer: nothing runs in the sandbox. What cannot be understood (2) or found (127) is a wrong page.
  test.each(lines)("%s: %s", async (_place, line) => {
    const { code, stderr } = await sandbox.run(line);
    expect(code === 0 || (code === 1 && /beckon/.test(line)), `${code}: ${stderr}`).toBe(true);
  });
});

describe("a command in running text", () => {
  const spans = documents.flatMap((document) =>
    codeSpans(document)
      .filter((code) => /^(npx opencode-)?beckon( |$)/.test(code) && !/[<>…]|\.\.\./.test(code))
      .map((code) => [document.path, code] as const),
  );

  test.each(spans)("%s: %s", async (_path, code) => {
    using bench = createBench();
    bench.write("project/trouble.jsonl", '{"t":0,"kind":"meta","format":1,"line":"v1","directory":"/p"}\n');
    const words = code.replace(/^(npx opencode-)?beckon ?/, "").match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
    const args = words.map((word) => word.replace(/^["'](.*)["']$/, "$1"));
    const here = args.map((word) => (word === "trouble.jsonl" ? join(bench.cwd, word) : word));
    const { code: ended, complaints } = await bench.run(here, { signal: AbortSignal.abort() });
    const isNamed = complaints.includes("missing required argument"); // the text speaks of the command, not of a call
    expect(ended === 0 || ended === 1 || isNamed, complaints).toBe(true);
  });
});

describe("a configuration of the pages", () => {
  const written = blocks
    .filter(({ language }) => language === "json" || language === "jsonc")
    .flatMap((block) => valuesOf(block.text).map((text) => [at(block), block.language, text] as const));

  test.each(written)("%s (%s) would be taken", (_place, language, text) => {
    expect(complaintAbout(text), text).toBeUndefined();
    if (language === "json") JSON.parse(text);
  });

  test.each(
    documents.flatMap((document) =>
      codeSpans(document)
        .filter((code) => /^(alerts|notifications)\.[\w.]+$/.test(code))
        .map((key) => [document.path, key] as const),
    ),
  )("%s names %s, which exists", (_path, key) => {
    expect(settingsBelow(key).ok || key.startsWith("alerts.push")).toBe(true);
  });
});

describe("an output of the pages", () => {
  const shown = blocks.filter(({ note }) => note.startsWith("output: "));

  test.each(shown.map((block) => [at(block), block] as const))(
    "%s is what the command prints",
    async (_place, block) => {
      const name = block.note.replace("output: ", "");
      const printed = (await outputs[name]?.())?.trimEnd();
      expect(printed, `no output called ${name}`).toBeDefined();
      if (process.env.BECKON_WRITE_DOCS === "1" && printed !== undefined) rewrite(block.path, block.note, printed);
      else expect(block.text.trimEnd()).toBe(printed);
    },
  );
});

/** The block under that comment gets this text. */
function rewrite(path: string, note: string, now: string): void {
  const file = join(repository, path);
  const head = `<!-- ${note} -->\n\`\`\`text\n`;
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(head) + head.length;
  const end = text.indexOf("```", start);
  writeFileSync(file, `${text.slice(0, start)}${now}\n${text.slice(end)}`);
}

describe("a link of the pages", () => {
  const links = documents.flatMap((document) =>
    [...document.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => [document, target] as const),
  );

  test.each(
    links
      .filter(([, target]) => !/^https?:/.test(target))
      .map(([document, target]) => [document.path, target, document] as const),
  )("%s: %s leads somewhere", (_path, target, document) => {
    const [file = "", anchor] = target.split("#");
    const path = file === "" ? document.path : join(dirname(document.path), file);
    expect(existsSync(join(repository, path)), path).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(path)).toContain(anchor);
  });
});

/** As the usual code hosts make them. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(join(repository, path), "utf8");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

const page = (path: string): Document => {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) throw new Error(`${path} is missing`);
  return found;
};

test("the page of decisions explains every decision there is, and no other", () => {
  const rows = [...page("docs/decisions.md").text.matchAll(/^\| `([\w-]+)` \| `([\w-]+)` \|/gm)];
  const explained = rows.map(([, outcome, reason]) => `${outcome} ${reason}`).sort();
  expect(explained).toEqual(wordedDecisions.map(({ outcome, reason }) => `${outcome} ${reason}`).sort());
});

test("the page of errors has every kind of failure in the source", () => {
  const { text } = page("docs/errors.md");
  for (const { kind, where } of failureKinds()) expect(text.includes(`\`${kind}\``), `${kind} (${where})`).toBe(true);
});
