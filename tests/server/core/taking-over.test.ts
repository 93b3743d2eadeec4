import { describe, expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("taking over", () => {
  test("a told banner is taken back by whoever comes after", async () => {
    const before = createAlertsStage();
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    await before.wait();
    before.alerts.stop();
    const after = createAlertsStage({ state: before.alerts.state });
    after.alerts.resume();
    after.alerts.closed("S", "p1");
    await after.wait();
    expect(after.news()).toEqual(["pause withdrawn answered p1"]);
    expect(after.takenBack).toEqual(["S"]);
  });

  test("a message that was to leave leaves in time, one that left does not again", async () => {
    const target = { type: "ntfy", url: "https://ntfy.example", topic: "t" };
    const file = { alerts: { push: [60, 120].map((afterSeconds) => ({ ...target, afterSeconds })) } };
    const before = createAlertsStage({ file });
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    await before.wait(90_000);
    before.alerts.stop();
    const after = createAlertsStage({ file, state: before.alerts.state });
    await after.wait(90_000); // its clock begins anew
    after.alerts.resume();
    await after.wait(29_999);
    expect([before.pushed, after.pushed]).toEqual([["S"], []]);
    await after.wait(1);
    await after.wait(minutes(60));
    expect(after.pushed).toEqual(["S"]);
  });

  test("a reminder comes in time, counted from the alert", async () => {
    const file = { alerts: { reminder: { afterSeconds: 60, times: 1 } } };
    const before = createAlertsStage({ file });
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    await before.wait(40_000);
    before.alerts.stop();
    const after = createAlertsStage({ file, state: before.alerts.state });
    await after.wait(40_000); // its clock begins anew
    after.alerts.resume();
    await after.wait(19_999);
    expect(after.news()).toEqual([]);
    await after.wait(1);
    expect(after.news()).toEqual(["pause delivered overdue p1"]);
  });

  test("a banner that was still on its way is taken back too", async () => {
    const before = createAlertsStage();
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    before.alerts.stop();
    const after = createAlertsStage({ state: before.alerts.state });
    after.alerts.resume();
    after.alerts.closed("S", "p1");
    await after.wait();
    expect(before.news()).toEqual([]); // what it set off comes back to whoever decides by then
    expect(after.news()).toEqual(["pause delivered unattended p1", "pause withdrawn answered p1"]);
  });

  test("an ask somebody looked at is still told when they leave", async () => {
    const before = createAlertsStage();
    before.terminals.shows("T1", "S");
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    before.alerts.stop();
    expect(before.clock.waiting()).toBe(0);
    const after = createAlertsStage({ state: before.alerts.state });
    after.alerts.resume();
    await after.wait(5_000);
    expect(after.news()).toEqual(["pause delivered left p1"]);
  });

  test("an end nobody seemed to see is still told by whoever comes after, in its time", async () => {
    const file = { alerts: { focus: { unseenSeconds: 60 } } };
    const before = createAlertsStage({ file });
    before.terminals.shows("T1", "S");
    before.alerts.open(done, "S", "unattended");
    await before.wait(20_000);
    before.alerts.stop();
    const after = createAlertsStage({ file, state: before.alerts.state });
    await after.wait(20_000); // its clock begins anew
    after.alerts.resume();
    await after.wait(39_999);
    expect(after.news()).toEqual([]);
    await after.wait(1);
    expect(after.news()).toEqual(["done delivered unseen"]);
  });

  test.each([
    ["an ask", pause("p1"), "pause delivered unattended p1"],
    ["an end", done, "done delivered unattended"],
  ] as const)("%s whose screen is being asked about is told once, by whoever comes after", async (_, alert, line) => {
    let answer = (_: boolean) => {};
    const asked = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const screen = { isLocked: () => asked, doNotDisturb: async () => false };
    const before = createAlertsStage({ screen });
    before.terminals.shows("T1", "S");
    before.alerts.open(alert, "S", "unattended", alert.kind === "pause" ? "p1" : undefined);
    before.alerts.stop();
    const after = createAlertsStage({ state: before.alerts.state, screen });
    after.alerts.resume();
    answer(true);
    await Promise.all([before.wait(), after.wait()]);
    expect([before.news(), after.news()]).toEqual([[], [line]]);
    expect(before.clock.waiting()).toBe(0);
  });

  test.each([
    ["a reminder", { reminder: { afterSeconds: 60 } }, []],
    ["a message", { push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 60 }] }, ["S"]],
  ])("%s whose screen is being asked about leaves once, sent by whoever comes after", async (_, alerts, pushed) => {
    let answer = (_: boolean) => {};
    let screenAsked = Promise.resolve(false);
    const screen = { isLocked: () => screenAsked, doNotDisturb: async () => false };
    const file = { alerts: { ...alerts, focus: { leaveSeconds: 600 } } };
    const before = createAlertsStage({ file, screen });
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    await before.wait(59_000);
    screenAsked = new Promise((resolve) => {
      answer = resolve;
    });
    before.terminals.shows("T1", "S"); // its news comes with the next change
    await before.wait(1_000);
    before.alerts.stop();
    const after = createAlertsStage({ file, state: before.alerts.state, screen });
    after.terminals.shows("T1", "S");
    await after.wait(70_000); // its clock begins anew
    after.alerts.resume();
    await after.wait(0);
    answer(true);
    await Promise.all([before.wait(minutes(5)), after.wait(minutes(5))]);
    expect([before.news(), after.news()]).toEqual([["pause delivered unattended p1"], ["pause delivered overdue p1"]]);
    expect([before.pushed, after.pushed]).toEqual([[], pushed]);
  });

  test("a later alert never takes the place of one that was handed over", async () => {
    const before = createAlertsStage();
    before.alerts.open(done, "S", "unattended");
    before.alerts.open(pause("p1"), "S", "unattended", "p1");
    await before.wait();
    before.alerts.worksAgain("S");
    before.alerts.stop();
    const after = createAlertsStage({ state: before.alerts.state });
    after.alerts.resume();
    after.alerts.open(done, "S", "unattended");
    expect(after.alerts.openRequests("S")).toMatchObject([{ requestID: "p1" }]);
    after.alerts.worksAgain("S");
    after.alerts.closed("S", "p1");
    await after.wait();
    expect(after.news().toSorted()).toEqual(["done delivered unattended", "pause withdrawn answered p1"]);
  });
});
