import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { createDeciderStage } from "../../fakes/decider-stage.ts";
import { createSessionStage, type Rules, working } from "../../fakes/session-stage.ts";

const ended: SessionEvent = { kind: "ended" };
const step: SessionEvent = { kind: "stepStarted" };
const started: SessionEvent = { kind: "started" };
const answering: SessionEvent = { kind: "answering" };
const typed: SessionEvent = { kind: "prompted", trigger: "typed" };
const retrying = (attempt: number): SessionEvent => ({ kind: "retrying", attempt });
const minutes = (count: number): number => count * 60_000;

function stage(rules: Rules = {}) {
  const made = createSessionStage({ rules });
  made.root("S");
  return made;
}

describe("retries", () => {
  test("that take longer than a minute are told once; a later success is a done", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, retrying(1));
    await wait(30_000);
    tell("S", retrying(2));
    await wait(30_400);
    expect(news()).toEqual(["S stuck 2"]);
    tell("S", retrying(6), retrying(7));
    await wait(minutes(10));
    expect(news()).toEqual([]);
    tell("S", step, { kind: "stepEnded" }, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("that come to the fifth are told, however fast", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ...[1, 2, 3, 4, 5].map(retrying));
    await wait(400);
    expect(news()).toEqual(["S stuck 5"]);
  });

  test("that recover in time are silent", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, retrying(1));
    await wait(59_000);
    tell("S", step, { kind: "stepEnded" });
    await wait(minutes(5));
    expect(news()).toEqual([]);
  });

  test("that led to an answer are over, however long it takes", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, retrying(1), started, step, answering);
    await wait(minutes(5));
    expect(news()).toEqual([]);
    tell("S", { kind: "stepEnded" }, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("that led to answers which broke off are one episode", async () => {
    const { tell, wait, news } = stage();
    for (const attempt of [1, 2, 3, 4, 5, 6, 7]) {
      tell("S", ...working, retrying(attempt));
      await wait(2_000);
      tell("S", started, step, answering);
      await wait(20_000);
    }
    expect(news()).toEqual(["S stuck 4"]);
  });

  test("of a second episode are told again", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, retrying(5));
    await wait(400);
    tell("S", step, { kind: "stepEnded" }, retrying(5));
    await wait(400);
    expect(news()).toEqual(["S stuck 5", "S stuck 5"]);
  });

  test("that end in a stop are a stop, and nothing is told later", async () => {
    const { clock, tell, wait, news } = stage();
    tell("S", ...working, retrying(1), ended);
    await wait(minutes(5));
    expect(news()).toEqual(["S done silent aborted"]);
    expect(clock.waiting()).toBe(0);
  });

  test("of a subagent are its parent's business", async () => {
    const { child, tell, wait, news } = stage();
    child("C", "S");
    tell("C", ...working, retrying(5));
    await wait(minutes(5));
    expect(news()).toEqual([]);
  });

  test("of a session that turns out to be a subagent are its parent's business", async () => {
    const { host, tell, wait, news } = createSessionStage();
    host.sessions.set("C", { parentID: "S" });
    host.delay(500);
    tell("C", ...working, retrying(1));
    await wait(500);
    await wait(minutes(5));
    expect(news()).toEqual([]);
  });

  test("are never told where the person wants it so", async () => {
    const { tell, wait, news } = stage({ stuckAfterSeconds: 0 });
    tell("S", ...working, ...[1, 2, 3, 4, 5, 6].map(retrying));
    await wait(minutes(5));
    expect(news()).toEqual([]);
  });

  test("of a session that is not busy are nothing", async () => {
    const { clock, tell, wait, news } = stage();
    tell("S", retrying(5));
    await wait(minutes(5));
    expect(news()).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });

  test("from before the plugin's start are told only if they go on", async () => {
    const { clock, registry, tell, wait, news } = stage();
    registry.receive({ sessionID: "S", created: clock.wall() - 1, events: [typed, started, step, retrying(6)] });
    await wait(minutes(5));
    expect(news()).toEqual([]);
    tell("S", retrying(7));
    await wait(400);
    expect(news()).toEqual(["S stuck 7"]);
  });

  test("from before the plugin's start are not told by whoever takes over either", async () => {
    const before = stage();
    const created = before.clock.wall() - 1;
    before.registry.receive({ sessionID: "S", created, events: [typed, started, step, retrying(6)] });
    before.registry.stop();
    const after = createSessionStage({ state: before.registry.state });
    after.registry.resume();
    await after.wait(minutes(5));
    expect(after.news()).toEqual([]);
  });
});

describe("a session that was told to be stuck", () => {
  async function stuck() {
    const made = createDeciderStage();
    made.root("S");
    made.tell("S", ...working, retrying(5));
    await made.wait(400);
    expect(made.news()).toEqual(["S error delivered stuck"]);
    return made;
  }

  test.each([
    ["finishes a step", [step, { kind: "stepEnded" }]],
    ["finishes a tool", [{ kind: "toolEnded", callID: "c2", succeeded: true, tool: "edit" }]],
  ] as const)("has its banner taken back when it %s", async (_, events) => {
    const { tell, wait, news } = await stuck();
    tell("S", ...events);
    await wait();
    expect(news()).toEqual(["S error withdrawn resumed"]);
    tell("S", ended);
    await wait(400);
    tell("S", typed, started);
    await wait();
    expect(news()).toEqual(["S done delivered unattended", "S done withdrawn resumed"]);
  });

  test("keeps it while it only tries again", async () => {
    const { tell, wait, news } = await stuck();
    tell("S", started, step, retrying(6));
    await wait(minutes(5));
    expect(news()).toEqual([]);
  });

  test("has it taken back when the person stops it: they have seen it", async () => {
    const { tell, wait, news } = await stuck();
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["S done silent aborted", "S error withdrawn seen"]);
  });

  test("that fails in the end has one banner, and one is taken back", async () => {
    const { tell, wait, news } = await stuck();
    tell("S", { kind: "failed", name: "APIError" }, ended);
    await wait(400);
    tell("S", typed, started);
    await wait();
    expect(news()).toEqual(["S error delivered unattended", "S error withdrawn resumed"]);
  });
});
