import { expect, test } from "vitest";
import { atExit } from "../../src/shared/at-exit.ts";

test("many things to do at the end are one listener, and none when nothing is left to do", () => {
  const before = process.listenerCount("exit");
  const ends = Array.from({ length: 20 }, () => atExit(() => {}));
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const end of ends) end();
  expect(process.listenerCount("exit")).toBe(before);
});

test("one that fails keeps no other from its turn, nor the host from its own end", () => {
  const done: string[] = [];
  const broken = atExit(() => {
    throw new Error("a bug of ours");
  });
  const stay = atExit(() => done.push("second"));
  process.listeners("exit").at(-1)?.(0);
  broken();
  stay();
  expect(done).toEqual(["second"]);
});

test("what is still to be done is done, and nothing that was called off", () => {
  const done: string[] = [];
  const stay = atExit(() => done.push("first"));
  const calledOff = atExit(() => done.push("second"));
  calledOff();
  process.listeners("exit").at(-1)?.(0);
  stay();
  expect(done).toEqual(["first"]);
});
