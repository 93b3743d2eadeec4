import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Import, importsOf, readSources, type Source, withoutComments } from "./architecture/read-imports.ts";

const sources = readSources(fileURLToPath(new URL("../src", import.meta.url)));

type Rule = {
  /** Files this row is about; the first row that fits a file counts. */
  files: RegExp;
  /** What it may import besides its own folder: paths below src/, or names of packages. */
  may: RegExp[];
  /** What it may take types from, beyond that. */
  typesOf?: RegExp[];
};

const zod = /^zod\/(mini|v4\/core)$/;
const node = /^node:/;
const core = /^server\/core\//;
const configShape = /^server\/config\/schema\.ts$/;
const channelShape = /^server\/delivery\/channel\.ts$/;

/** docs/architecture.md, "Who may import what". */
const table = {
  "shared knows nobody": { files: /^shared\//, may: [/^shared\//, zod] },
  "the core is pure and knows no edge": {
    files: /^server\/(core\/|focus\/presence\.ts)/,
    may: [/^shared\//, core, /^server\/focus\/presence\.ts$/, configShape, zod],
    typesOf: [channelShape],
  },
  "files knows only the disk": { files: /^server\/files\//, may: [/^shared\//, /^server\/files\//, node, /^nanoid$/] },
  "config knows files, not its siblings": {
    files: /^server\/config\//,
    may: [/^shared\//, /^server\/(config|files)\//, node, zod, /^jsonc-parser$/],
  },
  "delivery knows no sibling": {
    files: /^server\/delivery\//,
    may: [/^shared\//, /^server\/delivery\//, node, /^nanoid$/, /^dbus-native$/],
    typesOf: [core, configShape],
  },
  "opencode's own files are read, and nothing else is known of it": {
    files: /^server\/host-files\//,
    may: [/^shared\//, /^server\/(host-files|files)\//, node, /^jsonc-parser$/],
    typesOf: [/^server\/config\/location\.ts$/],
  },
  "focus knows files, not its siblings": {
    files: /^server\/focus\//,
    may: [/^shared\//, /^server\/(focus|files)\//, node, zod, /^nanoid$/, /^ws$/],
    typesOf: [core, configShape],
  },
  "journal knows files, not its siblings": {
    files: /^server\/journal\//,
    may: [/^shared\//, /^server\/(journal|files)\//, node, zod],
    typesOf: [core],
  },
  "privacy knows what decides, and how a configuration is written": {
    files: /^server\/privacy\//,
    may: [/^shared\//, /^server\/privacy\//, /^server\/config\/json-text\.ts$/, /^server\/core\/work\.ts$/],
  },
  "tools are handed what they use": {
    files: /^server\/tools\//,
    may: [/^shared\//, /^server\/tools\//, zod],
    typesOf: [/^server\/(core|config|delivery|focus|journal)\//],
  },
  "the door knows only the hosts": { files: /^server\/index\.ts$/, may: [/^server\/hosts\//] },
  "hosts know the composer, the tools' faces and each other": {
    files: /^server\/hosts\//,
    may: [/^shared\//, /^server\/(hosts|tools)\//, /^server\/runtime\/compose\.ts$/, /^server\/core\/errors\.ts$/, zod],
    typesOf: [core, /^server\/runtime\//],
  },
  "the runtime knows everybody but hosts and command line": {
    files: /^server\/(runtime\/|version\.ts)/,
    may: [/^shared\//, /^server\/(?!hosts\/|cli\/|replay\/|index\.ts)/, node, /^nanoid\/non-secure$/],
  },
  "replay runs the core as a host would": {
    files: /^server\/replay\//,
    may: [
      /^shared\//,
      /^server\/(replay|hosts|core|config|tools)\//,
      /^server\/(runtime\/decider|focus\/presence|delivery\/(create-channel|channel-deadlines|notify))\.ts$/,
      zod,
    ],
    typesOf: [configShape, channelShape, /^server\/runtime\/host\.ts$/],
  },
  "the command line knows what it shows": {
    files: /^server\/cli\//,
    may: [
      /^shared\//,
      /^server\/(cli|core|config|journal|replay|focus|delivery|files|host-files|privacy)\//,
      /^server\/version\.ts$/,
      node,
      zod,
      /^commander$/,
      /^jsonc-parser$/,
      /^ws$/,
    ],
    typesOf: [core],
  },
  "the terminal part meets nothing of the server but the way lines get into a file": {
    files: /^tui\//,
    may: [/^shared\//, /^tui\//, /^server\/files\/append-lines\.ts$/, node, /^ws$/, zod],
  },
} satisfies Record<string, Rule>;

const rows = Object.entries<Rule>(table);

describe("who may import what", () => {
  test.each(rows)("%s", (name, rule) => {
    const mine = sources.filter((source) => ruleOf(source)?.[0] === name);
    const breaches = mine.flatMap(({ file, imports }) =>
      imports.filter((found) => !isAllowed(rule, found)).map(({ target, how }) => `${file} → ${target} (${how})`),
    );
    expect(breaches).toEqual([]);
  });

  test("every file of ours stands in one row of the table", () => {
    expect(sources.filter((source) => !ruleOf(source)).map(({ file }) => file)).toEqual([]);
    expect(sources.length).toBeGreaterThan(20);
  });

  test("ws and dbus-native are read at first use, never at start", () => {
    const atStart = sources.filter(({ imports }) =>
      imports.some(({ target, how }) => how === "static" && /^(ws|dbus-native)$/.test(target)),
    );
    expect(atStart.map(({ file }) => file)).toEqual([]);
  });
});

describe("the pure core", () => {
  const pure = sources.filter(({ file }) =>
    /^(shared\/(?!(clock|at-exit)\.ts)|server\/(core\/|focus\/presence\.ts|hosts\/(\w+\/)?(translate|messages|hooks)))/.test(
      file,
    ),
  );
  const impure = {
    "has no clock of its own": /\bDate\b|\bperformance\b/,
    "starts no timer": /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/,
    "rolls no dice": /\bMath\.random\b|\bcrypto\b/,
    "does not look at the process": /\bprocess\b|\bglobalThis\b|\bBun\b/,
    "prints nothing": /\bconsole\b/,
  };

  test.each(Object.entries(impure))("%s", (_what, pattern) => {
    expect(pure.filter(({ code }) => pattern.test(code)).map(({ file }) => file)).toEqual([]);
  });

  test("asks nothing of Node and nothing of other programs", () => {
    const asking = pure.filter(({ imports }) => imports.some(({ target }) => /^(node:|ws$|dbus-native$)/.test(target)));
    expect(asking.map(({ file }) => file)).toEqual([]);
  });
});

test("no files import each other in a ring, types included", () => {
  const after = new Map(sources.map(({ file, imports }) => [file, imports.map(({ target }) => target)]));
  const done = new Set<string>();
  const rings: string[] = [];
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) rings.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of after.get(file) ?? []) follow(next, [...path, file]);
    done.add(file);
  };
  for (const { file } of sources) follow(file, []);
  expect(rings).toEqual([]);
});

test("what a comment cites is in every clone", () => {
  const cited = /\b(?:contracts\/[\w-]+\.md|cases\.md|requirements\.md|product\.md)/;
  const folder = fileURLToPath(new URL("../src", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.filter((file) => cited.test(readFileSync(join(folder, file), "utf8")))).toEqual([]);
});

describe("the reader of imports", () => {
  test.each<[string, Import[]]>([
    ['import a from "./a.ts";', [{ target: "./a.ts", how: "static" }]],
    ['import "./a.ts";', [{ target: "./a.ts", how: "static" }]],
    ['import {\n  a,\n  type B,\n} from "./a.ts";', [{ target: "./a.ts", how: "static" }]],
    ['import { type A, type B } from "./a.ts";', [{ target: "./a.ts", how: "type" }]],
    ['import type { A } from "./a.ts";', [{ target: "./a.ts", how: "type" }]],
    ['export { a } from "./a.ts";', [{ target: "./a.ts", how: "static" }]],
    ['export * from "./a.ts";', [{ target: "./a.ts", how: "static" }]],
    ['const a = await import("ws");', [{ target: "ws", how: "dynamic" }]],
    ['type A = typeof import("ws");', [{ target: "ws", how: "type" }]],
    ['// import a from "./a.ts";\n/* import("ws") */', []],
    ['const text = "a // b"; import("ws");', [{ target: "ws", how: "dynamic" }]],
  ])("reads %j", (text, expected) => {
    expect(importsOf(withoutComments(text))).toEqual(expected);
  });
});

function ruleOf({ file }: Source): [string, Rule] | undefined {
  return rows.find(([, rule]) => rule.files.test(file));
}

function isAllowed(rule: Rule, { target, how }: Import): boolean {
  const allowed = how === "type" ? [...rule.may, ...(rule.typesOf ?? [])] : rule.may;
  return allowed.some((pattern) => pattern.test(target));
}
