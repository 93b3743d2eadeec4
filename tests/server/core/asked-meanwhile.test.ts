import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { createSessionStage, permission, tool, working } from "../../fakes/session-stage.ts";

const ended: SessionEvent = { kind: "ended" };
const started: SessionEvent = { kind: "started" };
const step: SessionEvent = { kind: "stepStarted" };
const typed: SessionEvent = { kind: "prompted", trigger: "typed" };
const synthetic: SessionEvent = { kind: "prompted", trigger: "synthetic" };

/** A host that takes 600 ms to tell the messages: from 400 to 1000 ms after an end it is being asked. */
function stage() {
  const made = createSessionStage();
  made.root("S");
  made.host.messages.set("S", [{ role: "user", texts: [] }]);
  made.host.delay(600);
  return made;
}

test("a round that is woken while the host is asked goes on, and the answer about its first end is nothing", async () => {
  const { child, tell, wait, news } = stage();
  child("A", "S");
  child("B", "S");
  tell("A", started, step);
  tell("B", started, step);
  tell("S", ...working, ended);
  await wait(500);
  tell("A", ended);
  tell("S", synthetic, started, step);
  await wait(2_000);
  expect(news()).toEqual(["A done silent child", "S done deferred more-queued"]);
  tell("S", ended);
  await wait(2_000);
  expect(news()).toEqual(["S done deferred children-running"]);
  tell("B", ended);
  await wait(100);
  tell("S", synthetic, started, step, ended);
  await wait(2_000);
  expect(news()).toEqual(["B done silent child", "S done"]);
});

test("a session that works again is not done, whatever the host answers then", async () => {
  const { child, tell, wait, news } = stage();
  child("A", "S");
  tell("A", started, step);
  tell("S", ...working, ended);
  await wait(500);
  tell("A", ended);
  tell("S", synthetic, started, step);
  await wait(700);
  expect(news()).toEqual(["A done silent child", "S done deferred more-queued"]);
  tell("S", ended);
  await wait(400);
  await wait(600);
  expect(news()).toEqual(["S done"]);
});

test("the last subagent to end while the host is asked may still wake its parent", async () => {
  const { child, tell, wait, news } = stage();
  child("A", "S");
  tell("A", started, step);
  tell("S", ...working, ended);
  await wait(900);
  tell("A", ended);
  await wait(300);
  expect(news()).toEqual(["A done silent child"]);
  tell("S", synthetic, started, step, ended);
  await wait(400);
  await wait(600);
  expect(news()).toEqual(["S done deferred more-queued", "S done"]);
});

test("a new prompt while the host is asked overtakes the end", async () => {
  const { tell, wait, news } = stage();
  tell("S", ...working, ended);
  await wait(500);
  tell("S", typed, started, step);
  await wait(1_000);
  expect(news()).toEqual(["S done silent superseded"]);
});

test("an error told while the host is asked is the end's error", async () => {
  const { tell, wait, news } = stage();
  tell("S", ...working, ended);
  await wait(500);
  tell("S", { kind: "failed", name: "APIError" });
  await wait(500);
  expect(news()).toEqual(["S error APIError"]);
});

test("an ask that comes while the host is asked keeps the end from being done", async () => {
  const { tell, wait, news } = stage();
  tell("S", ...working, ended);
  await wait(500);
  tell("S", permission("p1"));
  await wait(500);
  expect(news()).toEqual(["S asks p1", "S done silent pending-ask"]);
});

test("a tool whose end comes late is work of the round", async () => {
  const { tell, wait, news } = stage();
  tell("S", typed, started, step, ended);
  await wait(500);
  tell("S", tool("bash"));
  await wait(500);
  expect(news()).toEqual(["S done"]);
});
