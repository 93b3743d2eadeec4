import { expect, test } from "vitest";
import { createMemory } from "../../../src/server/core/state.ts";

test("it remembers so many ids and forgets the oldest beyond", () => {
  const memory = createMemory(3);
  for (const id of ["a", "b", "c", "d"]) memory.add(id);
  expect(memory.all()).toEqual(["b", "c", "d"]);
  expect([memory.has("a"), memory.has("d")]).toEqual([false, true]);
});

test("an id it has already takes no room", () => {
  const memory = createMemory(2);
  for (const id of ["a", "b", "b", "b"]) memory.add(id);
  expect(memory.all()).toEqual(["a", "b"]);
});

test("what another one remembered goes on being remembered", () => {
  const memory = createMemory(2, createMemory(2, ["a", "b"]).all());
  memory.add("c");
  expect(memory.all()).toEqual(["b", "c"]);
});
