import { expect, test } from "vitest";
import { createLanes } from "../../../src/server/delivery/lanes.ts";

function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

test("the jobs of one key run one after the other, and the key is busy until the last has ended", async () => {
  const lanes = createLanes();
  const ran: string[] = [];
  const [first, second] = [createGate(), createGate()];
  const jobs = [
    lanes.run("a", () => first.passed.then(() => void ran.push("first"))),
    lanes.run("a", () => second.passed.then(() => void ran.push("second"))),
  ];
  await lanes.run("b", async () => void ran.push("another key's"));
  second.open();
  first.open();
  await jobs[0];
  expect(lanes.isBusy("a")).toBe(true);
  await Promise.all(jobs);
  await new Promise(setImmediate);
  expect([lanes.isBusy("a"), ran]).toEqual([false, ["another key's", "first", "second"]]);
});

test("a job that fails is its caller's affair alone: the next one runs", async () => {
  const lanes = createLanes();
  const failing = lanes.run("a", () => Promise.reject(new Error("bug")));
  const next = lanes.run("a", async () => "ran");
  await expect(failing).rejects.toThrow("bug");
  expect(await next).toBe("ran");
});
