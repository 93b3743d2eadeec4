import { expect, test } from "vitest";
import { createDeciderStage } from "../../fakes/decider-stage.ts";
import { createSessionStage, permission, tool, working } from "../../fakes/session-stage.ts";

function stage(rules = {}) {
  const made = createSessionStage({ rules });
  made.root("S");
  made.tell("S", ...working);
  return made;
}
const replied = (requestID?: string) =>
  ({ kind: "answered", how: "replied", ...(requestID === undefined ? {} : { requestID }) }) as const;
const refused = (requestID: string) => ({ kind: "answered", how: "refused", requestID }) as const;

test("an ask that waits longer than its window is told", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(349);
  expect(news()).toEqual([]);
  await wait(1);
  expect(news()).toEqual(["S asks p1"]);
});

test("an ask answered inside its window needed nobody", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(349);
  tell("S", replied("p1"));
  await wait(1_000);
  expect(news()).toEqual(["S pause silent auto-answered p1"]);
});

test("five asks in one window are one alert, under the oldest still open", async () => {
  const { tell, wait, news } = stage();
  for (const id of ["p1", "p2", "p3", "p4", "p5"]) tell("S", permission(id));
  tell("S", replied("p1"));
  await wait(350);
  expect(news()).toEqual([
    "S pause silent auto-answered p1",
    "S pause silent batched p3",
    "S pause silent batched p4",
    "S pause silent batched p5",
    "S asks p2 p3 p4 p5",
  ]);
});

test("later asks do not extend the window, and one after its end opens another", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(300);
  tell("S", permission("p2"));
  await wait(50);
  expect(news()).toEqual(["S pause silent batched p2", "S asks p1 p2"]);
  tell("S", permission("p3"));
  await wait(350);
  expect(news()).toEqual(["S asks p3"]);
});

test("sessions are never told together", async () => {
  const { root, tell, wait, news } = stage();
  root("R");
  tell("S", permission("p1"));
  tell("R", permission("p2"));
  await wait(350);
  expect(news()).toEqual(["S asks p1", "R asks p2"]);
});

test("the same request again is nothing until its reply, and may be told again afterwards", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"), permission("p1"));
  await wait(350);
  tell("S", permission("p1"));
  await wait(350);
  expect(news()).toEqual(["S asks p1"]);
  tell("S", replied("p1"), permission("p1"));
  await wait(350);
  expect(news()).toEqual(["S closed p1", "S asks p1"]);
});

test("a permission and a form of one call are told once", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1", { callID: "c1" }));
  await wait(350);
  tell("S", replied("p1"), permission("f1", { callID: "c1", about: "question" }));
  await wait(350);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S pause silent duplicate f1"]);
});

test("a second permission of one call is told: the person's answer to the first is none to it", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1", { callID: "c1", label: "external_directory" }));
  await wait(350);
  tell("S", replied("p1"), permission("p2", { callID: "c1", label: "bash" }));
  await wait(350);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S asks p2"]);
});

test("a form of another call, or of none, is told", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1", { callID: "c1" }), permission("p2"));
  await wait(350);
  tell("S", permission("f1", { callID: "c2", about: "question" }), permission("f2", { about: "question" }));
  await wait(350);
  expect(news().filter((line) => line.startsWith("S asks"))).toEqual(["S asks p1 p2", "S asks f1 f2"]);
});

test("a call of the next round asks anew, whatever its id", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1", { callID: "c1" }));
  await wait(350);
  tell("S", replied("p1"), { kind: "ended" }, ...working, permission("p2", { callID: "c1" }));
  await wait(350);
  expect(news()).toContain("S asks p2");
});

test("a reply that names no request closes every ask of its session, and only of that", async () => {
  const { root, tell, wait, news } = stage();
  root("R");
  tell("S", permission("p1"), permission("p2"));
  tell("R", permission("p3"));
  await wait(350);
  news();
  tell("S", replied());
  expect(news()).toEqual(["S closed p1", "S closed p2"]);
});

test("a reply to an ask nobody knows is nothing", async () => {
  const { tell, wait, news } = stage();
  tell("S", replied("p9"), refused("p9"), { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S done"]);
});

test("a new prompt of the person closes the asks it passes over", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(350);
  news();
  tell("S", { kind: "prompted", trigger: "typed" }, { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S closed p1", "S done"]);
});

test("a text of the host does not close what waits for the person", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"), { kind: "prompted", trigger: "synthetic" });
  await wait(350);
  expect(news()).toEqual(["S asks p1"]);
});

test("an ask whose session ends inside its window needed nobody", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"), { kind: "failed", name: "MessageAbortedError" }, { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S pause silent auto-answered p1", "S error silent aborted"]);
});

test("an ask that still waits when its session rests gives no done, and is told once", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(350);
  tell("S", { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S done silent pending-ask"]);
});

test("whatever stops a session takes its told asks along", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(350);
  tell("S", { kind: "failed", name: "APIError" }, { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S error APIError"]);
});

test("an ask that went with its session may be asked again", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"));
  await wait(350);
  tell("S", { kind: "ended" }, permission("p1"));
  await wait(350);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S asks p1"]);
});

test("a session whose start was not heard takes its asks along when it ends", async () => {
  const { root, tell, wait, news } = createSessionStage();
  root("S");
  tell("S", permission("p1"));
  await wait(350);
  tell("S", { kind: "ended" });
  expect(news()).toEqual(["S asks p1", "S closed p1"]);
});

test("nobody is reminded of an ask that went with its session", async () => {
  const { root, tell, wait, news } = createDeciderStage({
    file: { alerts: { reminder: { afterSeconds: 60, times: 3 } } },
  });
  root("S");
  tell("S", ...working, permission("p1"));
  await wait(350);
  tell("S", { kind: "ended" });
  await wait(400);
  await wait(600_000);
  expect(news()).toEqual([
    "S pause delivered unattended p1",
    "S pause withdrawn ended p1",
    "S done silent pending-ask",
  ]);
});

test("a session that runs again cannot wait on an ask of its earlier run", async () => {
  const { tell, wait, news } = stage();
  tell("S", { kind: "ended" }, permission("p1"));
  await wait(350);
  tell("S", { kind: "started" });
  expect(news()).toEqual(["S asks p1", "S done deferred more-queued", "S closed p1"]);
});

test("a repeated busy closes nothing", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"), { kind: "started" });
  await wait(350);
  expect(news()).toEqual(["S asks p1"]);
});

test("a child's ask is told, and its parent is not done while it waits", async () => {
  const { child, tell, wait, news } = stage();
  child("C", "S");
  tell("C", ...working, permission("p1"));
  await wait(350);
  expect(news()).toEqual(["C asks p1"]);
  tell("S", { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S done deferred children-running"]);
});

test("a dismissed question that ends the round is silent, one the model goes on from is not", async () => {
  const { tell, wait, news } = stage();
  tell("S", permission("p1"), refused("p1"), { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S pause silent auto-answered p1", "S done silent dismissed"]);
  tell("S", ...working, permission("p2"), refused("p2"), { kind: "stepStarted" }, { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S pause silent auto-answered p2", "S done"]);
});

test("an ask from before the plugin's start is remembered and never told", async () => {
  const { clock, registry, wait, news, root } = createSessionStage();
  root("S");
  registry.receive({ sessionID: "S", created: clock.wall() - 1, events: [permission("p0")] });
  await wait(10_000);
  expect(news()).toEqual([]);
  expect(registry.records.get("S")?.requests).toHaveLength(1);
});

test("no window at all: told at once", async () => {
  const { tell, wait, news } = stage({ settleMs: { pause: 0, done: 400, error: 400 } });
  tell("S", permission("p1"));
  await wait(0);
  expect(news()).toEqual(["S asks p1"]);
});

test("an ask of a session nobody has heard of is told when its family is known", async () => {
  const { host, tell, wait, news, registry } = createSessionStage();
  host.sessions.set("C", { parentID: "S" });
  host.sessions.set("S", { parentID: null, title: "Fix login" });
  tell("C", permission("p1"));
  await wait(350);
  expect(news()).toEqual(["C asks p1"]);
  expect(registry.records.rootOf("C")).toBe("S");
});

test("a host that never says whose session it is does not swallow the ask", async () => {
  const { host, tell, wait, news } = createSessionStage();
  host.sessions.set("C", "hangs");
  tell("C", permission("p1"));
  await wait(350);
  expect(news()).toEqual([]);
  await wait(1_000);
  expect(news()).toEqual(["C asks p1"]);
});

test("the time a person lets it wait is not counted as work", async () => {
  const { tell, wait, news } = stage({ minSeconds: 5 });
  tell("S", permission("p1"));
  await wait(60_000);
  tell("S", replied("p1"), tool("read"));
  await wait(1_000);
  tell("S", { kind: "ended" });
  await wait(400);
  expect(news()).toEqual(["S asks p1", "S closed p1", "S done silent too-short"]);
});
