import { describe, expect, test } from "vitest";
import { createCallsStage, done, failure, pause } from "../../fakes/calls-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("nobody looks", () => {
  test.each([
    ["an end", done, "done"],
    ["an error", failure, "error"],
    ["an ask", pause("p1"), "pause"],
  ] as const)("%s is handed to the channels at once", async (_, alert, kind) => {
    const { calls, wait, news, told } = createCallsStage();
    calls.open(alert, "S", "unattended", kind === "pause" ? "p1" : undefined);
    expect(told).toMatchObject([{ sessionID: "S", channels: ["banner"] }]);
    await wait();
    expect(news()).toEqual([`${kind} delivered unattended${kind === "pause" ? " p1" : ""}`]);
  });

  test("a retry that is stuck says so", async () => {
    const { calls, wait, news } = createCallsStage();
    calls.open({ kind: "error", attempt: 5 }, "S", "stuck");
    await wait();
    expect(news()).toEqual(["error delivered stuck"]);
  });

  test.each([
    ["unknown focus", { focus: "unknown" }],
    ["a blurred terminal", { focus: "blurred" }],
  ] as const)("%s is not looking", async (_, report) => {
    const { calls, terminals, wait, news } = createCallsStage();
    terminals.report("T1", { ...report, view: { type: "session", sessionID: "S" } });
    calls.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("a terminal that has not beaten for half a minute is not looking", async () => {
    const { calls, terminals, wait, news } = createCallsStage();
    terminals.shows("T1", "S");
    await wait(30_000);
    calls.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("the home view and other sessions are not looking", async () => {
    const { calls, terminals, wait, news } = createCallsStage();
    terminals.report("T1", { focus: "focused" });
    terminals.shows("T2", "R");
    calls.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });
});

describe("somebody looks", () => {
  test("an end is suppressed, names who looked, and stays suppressed", async () => {
    const { calls, terminals, decided, wait, leaves, news } = createCallsStage();
    terminals.shows("T1", "S");
    calls.open(done, "S", "unattended");
    expect(decided).toMatchObject([{ outcome: "suppressed", reason: "attended", by: "T1", channels: [] }]);
    leaves("T1");
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
  });

  test("the host itself may say that it was seen", async () => {
    const { calls, decided } = createCallsStage();
    calls.open(done, "S", "unattended", undefined, true);
    expect(decided).toMatchObject([{ outcome: "suppressed", reason: "attended", by: "host" }]);
  });

  test("a parent on screen is no look at a child's end, but at its ask", async () => {
    const { calls, terminals, wait, news } = createCallsStage();
    terminals.shows("T1", "S");
    calls.open(failure, "C", "unattended");
    calls.open(pause("p1"), "C", "unattended", "p1");
    await wait();
    expect(news().toSorted()).toEqual(["error delivered unattended", "pause deferred attended p1"]);
  });

  test("with voice wanted too, only the banner is dropped", async () => {
    const { calls, terminals, told, wait, news } = createCallsStage({ file: { alerts: { done: { mode: "both" } } } });
    terminals.shows("T1", "S");
    calls.open(done, "S", "unattended");
    await wait();
    expect(told).toMatchObject([{ channels: ["voice"] }]);
    expect(news()).toEqual(["done delivered attended"]);
  });
});

describe("a bug of ours", () => {
  const bug = (): never => {
    throw new Error("a bug of ours");
  };

  test.each([
    ["in who the alert is about", { subject: bug }],
    ["in its delivery", { deliver: bug }],
    ["in its delivery, later", { deliver: async () => bug() }],
    ["in who looks", { presence: bug }],
    ["in whether alerts are muted", { mutedUntil: bug }],
    ["in the settings", { config: bug }],
    ["in where the session belongs", { rootOf: bug }],
  ])("%s is one line for a pause and one for an end, and nothing waits", async (_where, more) => {
    const stage = createCallsStage({ more });
    stage.calls.open(pause("p"), "S", "unattended", "p");
    stage.calls.open(done, "R", "unattended");
    await stage.wait(3_600_000);
    await stage.wait();
    expect(stage.news()).toEqual(["pause failed internal p", "done failed internal"]);
    expect(stage.clock.waiting()).toBe(0);
  });

  test("in a message that leaves the machine is a line of its own; the banner has its", async () => {
    const push = [{ type: "webhook", url: "https://push.example/x", afterSeconds: 10 }];
    const stage = createCallsStage({ file: { alerts: { push } }, more: { push: async () => bug() } });
    stage.calls.open(pause("p"), "S", "unattended", "p");
    await stage.wait(10_000);
    await stage.wait();
    expect(stage.news()).toEqual(["pause delivered unattended p", "pause failed internal p"]);
  });

  test("in taking a banner back leaves it up, and the next alert is told", async () => {
    const stage = createCallsStage({ more: { takeBack: bug } });
    stage.calls.open(pause("p"), "S", "unattended", "p");
    await stage.wait();
    stage.calls.closed("S", "p");
    await stage.wait();
    stage.calls.open(pause("q"), "S", "unattended", "q");
    await stage.wait();
    expect(stage.news()).toEqual(["pause delivered unattended p", "pause delivered unattended q"]);
  });
});
