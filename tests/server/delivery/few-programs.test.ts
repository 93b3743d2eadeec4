import { expect, test } from "vitest";
import { fewPrograms } from "../../../src/server/delivery/few-programs.ts";
import type { RunProgram } from "../../../src/server/delivery/run-program.ts";
import { ok } from "../../../src/shared/result.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const call = (program: string) => ({ program, args: [], env: {}, deadlineMs: 1_000 });

function createRunner() {
  const running: (() => void)[] = [];
  const started: string[] = [];
  const run: RunProgram = ({ program }) => {
    started.push(program);
    return new Promise((resolve) => running.push(() => resolve(ok(program))));
  };
  return { run, running, started };
}

test("only a few programs run at a time, and all run in the end, in order", async () => {
  const { run, running, started } = createRunner();
  const few = fewPrograms(run, 2);
  const all = ["a", "b", "c", "d", "e"].map((program) => few(call(program)));
  await settled();
  expect(started).toEqual(["a", "b"]);
  while (running.length > 0) {
    running.shift()?.();
    await settled();
  }
  expect(started).toEqual(["a", "b", "c", "d", "e"]);
  expect(await Promise.all(all)).toHaveLength(5);
});

test("a program that throws gives its place to the next", async () => {
  const few = fewPrograms(() => Promise.reject(new Error("bug")), 1);
  await expect(few(call("a"))).rejects.toThrow("bug");
  await expect(few(call("b"))).rejects.toThrow("bug");
});
