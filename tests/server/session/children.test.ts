import { expect, test } from "vitest";
import { createChildren } from "../../../src/server/session/children.ts";
import { createRecords } from "../../../src/server/core/family.ts";
import { newRound } from "../../../src/server/core/round.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

const halfAnHour = 30 * 60_000;

function rig() {
  const clock = createHandCrankedClock();
  const records = createRecords();
  const add = (id: string, parentID: string | null) => {
    const record = records.ensure(id, clock.now());
    records.place(record, parentID);
    return record;
  };
  add("root", null);
  return { clock, add, children: createChildren({ clock, records }) };
}
const work = () => ({ phase: "working", round: newRound(0, undefined, false) }) as const;

test("a session alone has nobody below it that runs, be it busy itself", () => {
  const { add, children } = rig();
  add("root", null).turn = work();
  expect(children.anyRuns("root")).toBe(false);
  expect(children.anyRuns("unheard of")).toBe(false);
});

test("a child runs while it works or is launched, however deep it is", () => {
  const { add, children } = rig();
  add("child", "root");
  expect(children.anyRuns("root")).toBe(false);
  const grandchild = add("grandchild", "child");
  grandchild.turn = work();
  expect(children.anyRuns("root")).toBe(true);
  grandchild.turn = { phase: "resting" };
  grandchild.launched = true;
  expect(children.anyRuns("root")).toBe(true);
  expect(children.anyRuns("grandchild")).toBe(false);
});

test("a child nobody hears of for half an hour does not run any more", () => {
  const { clock, add, children } = rig();
  add("child", "root").turn = work();
  clock.advance(halfAnHour - 1);
  expect(children.anyRuns("root")).toBe(true);
  expect(children.nextLossMs("root")).toBe(1);
  clock.advance(1);
  expect(children.anyRuns("root")).toBe(false);
});

test("the next to be lost is the one not heard of for longest", () => {
  const { clock, add, children } = rig();
  add("first", "root").turn = work();
  clock.advance(1_000);
  add("second", "root").turn = work();
  expect(children.nextLossMs("root")).toBe(halfAnHour - 1_000);
});
