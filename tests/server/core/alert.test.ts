import { describe, expect, test } from "vitest";
import { createAlertsStage, done, failure, pause } from "../../fakes/alerts-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("nobody looks", () => {
  test.each([
    ["an end", done, "done"],
    ["an error", failure, "error"],
    ["an ask", pause("p1"), "pause"],
  ] as const)("%s is handed to the channels at once", async (_, alert, kind) => {
    const { alerts, wait, news, told } = createAlertsStage();
    alerts.open(alert, "S", "unattended", kind === "pause" ? "p1" : undefined);
    expect(told).toMatchObject([{ sessionID: "S", channels: ["banner"] }]);
    await wait();
    expect(news()).toEqual([`${kind} delivered unattended${kind === "pause" ? " p1" : ""}`]);
  });

  test("a retry that is stuck says so", async () => {
    const { alerts, wait, news } = createAlertsStage();
    alerts.open({ kind: "error", attempt: 5 }, "S", "stuck");
    await wait();
    expect(news()).toEqual(["error delivered stuck"]);
  });

  test.each([
    ["unknown focus", { focus: "unknown" }],
    ["a blurred terminal", { focus: "blurred" }],
  ] as const)("%s is not looking", async (_, report) => {
    const { alerts, terminals, wait, news } = createAlertsStage();
    terminals.report("T1", { ...report, view: { type: "session", sessionID: "S" } });
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("a terminal that has not beaten for half a minute is not looking", async () => {
    const { alerts, terminals, wait, news } = createAlertsStage();
    terminals.shows("T1", "S");
    await wait(30_000);
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("the home view and other sessions are not looking", async () => {
    const { alerts, terminals, wait, news } = createAlertsStage();
    terminals.report("T1", { focus: "focused" });
    terminals.shows("T2", "R");
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });
});

describe("somebody looks", () => {
  test("an end is suppressed, names who looked, and stays suppressed", async () => {
    const { alerts, terminals, decided, wait, leaves, news } = createAlertsStage();
    terminals.shows("T1", "S");
    alerts.open(done, "S", "unattended");
    expect(decided).toMatchObject([{ outcome: "suppressed", reason: "attended", by: "T1", channels: [] }]);
    leaves("T1");
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
  });

  test("the host itself may say that it was seen", async () => {
    const { alerts, decided } = createAlertsStage();
    alerts.open(done, "S", "unattended", undefined, true);
    expect(decided).toMatchObject([{ outcome: "suppressed", reason: "attended", by: "host" }]);
  });

  test("a parent on screen is no look at a child's end, but at its ask", async () => {
    const { alerts, terminals, wait, news } = createAlertsStage();
    terminals.shows("T1", "S");
    alerts.open(failure, "C", "unattended");
    alerts.open(pause("p1"), "C", "unattended", "p1");
    await wait();
    expect(news().toSorted()).toEqual(["error delivered unattended", "pause deferred attended p1"]);
  });

  test("with voice wanted too, only the banner is dropped", async () => {
    const { alerts, terminals, told, wait, news } = createAlertsStage({ file: { alerts: { done: { mode: "both" } } } });
    terminals.shows("T1", "S");
    alerts.open(done, "S", "unattended");
    await wait();
    expect(told).toMatchObject([{ channels: ["voice"] }]);
    expect(news()).toEqual(["done delivered attended"]);
  });
});
