import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { unguardedEntries } from "./find-entries.ts";
import { readSources } from "./read-imports.ts";

const sources = readSources(fileURLToPath(new URL("../../src", import.meta.url)));

/** Where nothing of the host's can be hurt, or nothing can be thrown. */
const allowed: readonly { file: RegExp; text: RegExp; because: string }[] = [
  { file: /^server\/cli\//, text: /./, because: "a process of its own: there a bug should end it, and says so" },
  { file: /^server\/replay\//, text: /./, because: "runs in the command line" },
  { file: /^server\/files\/lock-file\.ts$/, text: /setTimeout\(resume/, because: "resolves a promise, nothing else" },
  {
    file: /^server\/focus\/lobby\.ts$/,
    text: /socket\.on/,
    because: "thousands a second: nothing is made for each; what begins there is guarded by the room",
  },
];

test("whoever calls our code from outside goes through a guard, which keeps our bugs from the host", () => {
  const found = sources.flatMap(({ file, code }) => unguardedEntries(code).map(({ text }) => ({ file, text })));
  const isAllowed = ({ file, text }: (typeof found)[number]) =>
    allowed.some((row) => row.file.test(file) && row.text.test(text));
  expect(found.filter((entry) => !isAllowed(entry))).toEqual([]);
  for (const row of allowed)
    expect(found.filter((entry) => row.file.test(entry.file) && row.text.test(entry.text))).not.toEqual([]);
});

describe("the finder of entries", () => {
  test.each([
    "setTimeout(() => work(), 5);",
    "setTimeout(work, 5);",
    "setInterval(work, 5);",
    "setImmediate(work);",
    "queueMicrotask(work);",
    "process.nextTick(work);",
    'socket.on("", (chunk) => take(chunk));',
    'socket.once("", take);',
    'child.stdout?.on("", take);',
    'renderer.on?.("", take);',
    'signal.addEventListener("", stop, { once: true });',
    "socket.on(event, take);",
    "socket.setTimeout(1_000, end);",
    "renderer.prependInputHandler?.(look);",
    "execFile(program, [...args], { timeout }, (error) => resolve(error === null));",
    "void work();",
    "void channel?.send(note).then(told);",
    "const guarded = 1;\nsetTimeout(work, 5);",
  ])("finds %j", (code) => {
    expect(unguardedEntries(`${code}\n`)).toHaveLength(1);
  });

  test.each([
    'setTimeout(guarded("", run), 5);',
    'const end = guarded("", () => work());\nsocket.on("", end);',
    'const look = answering("", false, (text) => test(text));\nrenderer.prependInputHandler?.(look);',
    'socket.on("", guarded("", (chunk) => take(chunk)));',
    'socket.on("", () => {});',
    'const told = guarded("", done);\nexecFile(program, args, { timeout }, told).unref();',
    "const put = (call) => void calls.set(call.id, call);",
    "function stop(): void {\n  work();\n}",
    'unattended("", work());',
  ])("has nothing against %j", (code) => {
    expect(unguardedEntries(`${code}\n`)).toEqual([]);
  });
});
