import { describe, expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("reminders", () => {
  const file = (times: number) => ({ alerts: { reminder: { afterSeconds: 120, times } } });

  test("come as often as wanted, and end with the answer", async () => {
    const { alerts, told, wait, news } = createAlertsStage({ file: file(3) });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(120_000);
    await wait(120_000);
    alerts.closed("S", "p1");
    await wait(minutes(60));
    expect(news()).toEqual([
      "pause delivered unattended p1",
      "pause delivered overdue p1",
      "pause delivered overdue p1",
      "pause withdrawn answered p1",
    ]);
    expect(told.map(({ overdue }) => overdue)).toEqual([false, true, true]);
  });

  test("come no more often than wanted", async () => {
    const { alerts, wait, news } = createAlertsStage({ file: file(1) });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(minutes(60));
    await wait(minutes(60));
    expect(news()).toEqual(["pause delivered unattended p1", "pause delivered overdue p1"]);
  });

  test("go on when somebody saw the banner and left without answering, counted from then", async () => {
    const { alerts, shows, leaves, wait, news } = createAlertsStage({ file: file(3) });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(60_000);
    shows("T1", "S");
    await wait();
    leaves("T1");
    await wait(5_000 + 119_999);
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn seen p1"]);
    await wait(1);
    expect(news()).toEqual(["pause delivered overdue p1"]);
    alerts.closed("S", "p1");
    await wait(minutes(60));
    expect(news()).toEqual(["pause withdrawn answered p1"]);
  });

  test.each([
    ["focus is not used", { focus: { enabled: false } }],
    ["nothing is to be suppressed", { focus: { suppress: "none" } }],
    ["asks are to come while somebody looks", { pause: { whenFocused: "deliver" } }],
  ])("and messages come in front of somebody's eyes where %s", async (_, settings) => {
    const push = [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 60 }];
    const { alerts, terminals, pushed, wait, news } = createAlertsStage({
      file: { alerts: { ...settings, ...file(1).alerts, push } },
    });
    terminals.shows("T1", "S");
    alerts.open(pause("p1"), "S", "unattended", "p1");
    for (let beat = 0; beat < 13; beat += 1) {
      await wait(10_000);
      terminals.shows("T1", "S");
      alerts.presenceChanged();
    }
    expect(pushed).toEqual(["S"]);
    expect(news()).toEqual([
      "pause delivered unattended p1",
      "pause delivered overdue p1",
      "pause delivered overdue p1",
    ]);
  });

  test("are never about an end", async () => {
    const { clock, alerts, wait, news } = createAlertsStage({ file: file(3) });
    alerts.open(done, "S", "unattended");
    await wait(minutes(60));
    expect(news()).toEqual(["done delivered unattended"]);
    expect(clock.waiting()).toBe(0);
  });

  test("do not come while alerts are muted, and leave no second line", async () => {
    const { clock, alerts, mute, wait, news } = createAlertsStage({ file: file(3) });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    mute(clock.wall() + minutes(60));
    await wait(minutes(30));
    expect(news()).toEqual(["pause delivered unattended p1"]);
  });
});

describe("push", () => {
  const target = { type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 120 };

  test("leaves the machine when nobody reacted for a while", async () => {
    const { alerts, pushed, wait, news } = createAlertsStage({ file: { alerts: { push: [target] } } });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(119_999);
    expect(pushed).toEqual([]);
    await wait(1);
    await wait(minutes(60));
    expect(pushed).toEqual(["S"]);
    expect(news()).toEqual(["pause delivered unattended p1", "pause delivered overdue p1"]);
  });

  test.each(["answered", "attended", "muted"])("does not leave when it was %s meanwhile", async (how) => {
    const { clock, alerts, mute, shows, pushed, wait } = createAlertsStage({ file: { alerts: { push: [target] } } });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(60_000);
    if (how === "answered") alerts.closed("S", "p1");
    if (how === "attended") shows("T1", "S");
    if (how === "muted") mute(clock.wall() + minutes(60));
    await wait(60_000);
    expect(pushed).toEqual([]);
  });

  test("leaves once about an ask, however often somebody looks and leaves it unanswered", async () => {
    const { alerts, shows, leaves, pushed, wait } = createAlertsStage({ file: { alerts: { push: [target] } } });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    for (let look = 0; look < 3; look += 1) {
      await wait(minutes(5));
      shows("T1", "S");
      await wait();
      leaves("T1");
    }
    await wait(minutes(60));
    expect(pushed).toEqual(["S"]);
  });

  test("has its own kinds: an end only where wanted", async () => {
    const both = { ...target, events: ["done"] };
    const { alerts, pushed, wait } = createAlertsStage({ file: { alerts: { push: [target, both] } } });
    alerts.open(done, "S", "unattended");
    await wait(minutes(60));
    expect(pushed).toEqual(["S"]);
  });
});
