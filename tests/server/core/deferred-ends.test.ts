import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { createSessionStage, permission, type Rules, tool, working } from "../../fakes/session-stage.ts";

const ended: SessionEvent = { kind: "ended" };
const started: SessionEvent = { kind: "started" };
const step: SessionEvent = { kind: "stepStarted" };
const typed: SessionEvent = { kind: "prompted", trigger: "typed" };
const synthetic: SessionEvent = { kind: "prompted", trigger: "synthetic" };
const failed = (name: string): SessionEvent => ({ kind: "failed", name });
const answered = (requestID: string): SessionEvent => ({ kind: "answered", requestID, how: "replied" });
const minutes = (count: number): number => count * 60_000;

function stage(rules: Rules = {}) {
  const made = createSessionStage({ rules });
  made.root("S");
  return made;
}

describe("subagents", () => {
  const dispatched = [typed, started, step, tool("task")];

  test("never raise done or error of their own", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    tell("C", ...working, ended, ...working, failed("APIError"), ended);
    await wait(2_000);
    expect(news()).toEqual(["C done silent child", "C done silent child"]);
  });

  test("that still run keep the end back; one done when the last has ended", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    child("B", "S");
    tell("A", started);
    tell("B", started);
    tell("S", ...working, ended);
    await wait(400);
    tell("A", ended);
    await wait(2_000);
    expect(news()).toEqual(["S done deferred children-running", "A done silent child"]);
    tell("B", ended);
    await wait(400);
    expect(news()).toEqual(["B done silent child", "S done"]);
  });

  test("that end while the end still settles are no reason to wait", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(200);
    tell("A", ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S done"]);
  });

  test("whose result wakes the session belong to the same round", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(400);
    tell("A", ended);
    await wait(100);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "A done silent child", "S done"]);
  });

  test("whose result wakes it do so as well where only the message list knew who began the round", async () => {
    const { clock, host, child, tell, wait, news } = stage();
    const created = clock.wall();
    child("A", "S");
    tell("A", started);
    host.messages.set("S", [{ role: "user", texts: [{ synthetic: false }], created }]);
    tell("S", started, step, tool("bash"), ended);
    await wait(400);
    host.messages.set("S", [{ role: "synthetic", texts: [{ synthetic: true }], created }]);
    tell("A", ended);
    await wait(100);
    tell("S", started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "A done silent child", "S done"]);
  });

  test("that are deleted count as ended", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(400);
    tell("A", { kind: "deleted" });
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "S done"]);
  });

  test("nobody has heard of for half an hour count as ended", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    await wait(minutes(10));
    tell("S", ...working, ended);
    await wait(400);
    await wait(minutes(10));
    tell("A", step);
    await wait(minutes(29));
    expect(news()).toEqual(["S done deferred children-running"]);
    await wait(minutes(1));
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("launched in the background count as running before they are heard of", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, { kind: "childLinked", childID: "B", launched: true }, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running"]);
    tell("B", started, ended);
    await wait(400);
    expect(news()).toEqual(["B done silent child", "S done"]);
  });

  test("launched in the background and over before the call says so keep nothing back", async () => {
    const { child, tell, wait, news } = stage();
    const link = (launched: boolean): SessionEvent => ({ kind: "childLinked", childID: "B", launched });
    child("B", "S");
    tell("B", ...working, ended);
    await wait(minutes(1));
    tell("S", ...working, link(false));
    tell("B", started, failed("provider.no-route"), ended);
    tell("S", link(true), ended);
    await wait(400);
    expect(news()).toEqual(["B done silent child", "B done silent child", "S done"]);
    tell("S", ...working, link(true), ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running"]);
  });

  test("launched and never heard of are given up after half an hour", async () => {
    const { clock, tell, wait, news } = stage();
    tell("S", ...working, { kind: "childLinked", childID: "B", launched: true }, ended);
    await wait(400);
    await wait(minutes(30));
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "S done"]);
    expect(clock.waiting()).toBe(0);
  });

  test("of subagents count for the family", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    child("G", "C");
    tell("G", started);
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running"]);
  });

  test("that ask after the end run, be their start unheard of, until they are answered", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    tell("S", ...working, ended);
    await wait(100);
    tell("C", permission("p1"));
    await wait(400);
    expect(news().toSorted()).toEqual(["C asks p1", "S done deferred children-running"]);
    tell("C", answered("p1"));
    await wait(400);
    expect(news()).toEqual(["C closed p1", "S done"]);
  });

  test("that wait for the person when their parent ends put its end off, as long as that takes", async () => {
    const { clock, child, tell, wait, news } = stage();
    child("C", "S");
    tell("S", ...working);
    tell("C", started, step, permission("p1"));
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["C asks p1", "S done deferred children-running"]);
    await wait(minutes(60));
    expect(clock.waiting()).toBe(0);
    tell("C", answered("p1"));
    await wait(400);
    expect(news()).toEqual(["C closed p1"]);
    tell("C", ended);
    await wait(100);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["C done silent child", "S done"]);
  });

  test("that were answered are lost half an hour later, if nothing more is heard of them", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    tell("S", ...working);
    tell("C", started, step, permission("p1"));
    tell("S", ended);
    await wait(400);
    await wait(minutes(60));
    tell("C", answered("p1"));
    news();
    await wait(minutes(30));
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("let the time the person let them wait not count as work, be it after the end", async () => {
    const { child, tell, wait, news } = stage({ minSeconds: 60 });
    child("C", "S");
    tell("S", ...working);
    tell("C", started, step, permission("p1"));
    tell("S", ended);
    await wait(minutes(60));
    tell("C", answered("p1"), ended);
    await wait(100);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toContain("S done silent too-short");
  });

  test("that end in the last moment of the window may still wake the session", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(390);
    tell("A", ended);
    await wait(100);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S done deferred more-queued", "S done"]);
  });

  test("hold no error back", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, failed("APIError"), ended);
    await wait(390);
    tell("A", ended);
    await wait(10);
    expect(news()).toEqual(["A done silent child", "S error APIError"]);
  });

  test("whose start was never heard of have ended all the same when their end is heard", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, { kind: "childLinked", childID: "B", launched: true }, ended);
    await wait(400);
    tell("B", ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "S done"]);
  });

  test("a round that only dispatched is silent by default", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    tell("S", ...dispatched);
    tell("C", ...working, ended);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["C done silent child", "S done silent delegated"]);
  });

  test("set to alert, the work of a subagent is the round's", async () => {
    const { child, tell, wait, news } = stage({ delegated: "alert" });
    child("C", "S");
    tell("S", ...dispatched);
    tell("C", ...working, ended);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["C done silent child", "S done"]);
  });

  test("set to alert, a subagent that only kept books is no work", async () => {
    const { child, tell, wait, news } = stage({ delegated: "alert" });
    child("C", "S");
    tell("S", ...dispatched);
    tell("C", started, step, tool("todowrite"), ended);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["C done silent child", "S done silent delegated"]);
  });

  test("set to alert and still running, the round waits for what they do", async () => {
    const { child, tell, wait, news } = stage({ delegated: "alert" });
    child("C", "S");
    tell("C", started, step);
    tell("S", ...dispatched, ended);
    await wait(400);
    tell("C", tool("edit"), ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "C done silent child", "S done"]);
  });

  test("set to alert, a family that did nothing in the end is silent in the end", async () => {
    const { child, tell, wait, news } = stage({ delegated: "alert" });
    child("C", "S");
    tell("C", started, step);
    tell("S", ...dispatched, ended);
    await wait(400);
    tell("C", ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "C done silent child", "S done silent delegated"]);
  });
});

describe("what a person asks while the end is put off", () => {
  /** Real work is done, a subagent still runs. */
  async function putOff(rules: Rules = {}) {
    const made = stage(rules);
    made.child("A", "S");
    made.tell("A", started);
    made.tell("S", ...working, ended);
    await made.wait(400);
    expect(made.news()).toEqual(["S done deferred children-running"]);
    return made;
  }
  const chat = [typed, started, step, ended];

  test("belongs to the round: one done at the very end", async () => {
    const { tell, wait, news } = await putOff();
    tell("S", ...chat);
    await wait(400);
    tell("S", ...chat);
    await wait(400);
    expect(news()).toEqual(["S done deferred children-running", "S done deferred children-running"]);
    tell("A", ended);
    await wait(100);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S done"]);
  });

  test("and that is still being answered when the last subagent ends, is the very end", async () => {
    const { tell, wait, news } = await putOff();
    tell("S", typed, started, step);
    tell("A", ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child"]);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("in the moment between the last subagent's end and the done loses none", async () => {
    const { tell, wait, news } = await putOff();
    tell("A", ended);
    await wait(100);
    tell("S", ...chat);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S done"]);
  });

  test("before it was put off loses none either", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(100);
    tell("S", ...chat);
    await wait(400);
    tell("A", ended);
    await wait(400);
    expect(news()).toEqual([
      "S done deferred more-queued",
      "S done deferred children-running",
      "A done silent child",
      "S done",
    ]);
  });

  test("is too short no more when the whole of it is long enough", async () => {
    const { tell, wait, news } = await putOff({ minSeconds: 60 });
    await wait(minutes(2));
    tell("S", ...chat);
    tell("A", ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S done"]);
  });

  test("and stops, is a stop: nothing is told later", async () => {
    const { tell, wait, news } = await putOff();
    tell("S", typed, started, step, failed("MessageAbortedError"), ended);
    tell("A", ended);
    await wait(400);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["A done silent child", "S error silent aborted", "S done silent synthetic"]);
  });

  test("makes no work of what somebody else's round did", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", synthetic, started, step, tool("bash"), ended);
    await wait(100);
    tell("S", ...chat);
    tell("A", ended);
    await wait(400);
    expect(news()).toEqual(["S done silent superseded", "A done silent child", "S done silent no-real-work"]);
  });
});
