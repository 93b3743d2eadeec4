import { describe, expect, test } from "vitest";
import { createAlertsStage, done, failure, pause } from "../../fakes/alerts-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("a banner that has become pointless", () => {
  test("is taken back when the ask was answered", async () => {
    const { alerts, takenBack, wait, news } = createAlertsStage();
    alerts.open(pause("p1"), "S", "unattended", "p1");
    alerts.closed("S", "p1");
    await wait();
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test("names what is left, and goes with the last", async () => {
    const { alerts, refreshed, takenBack, wait, news } = createAlertsStage();
    alerts.open(pause("p1", "p2", "p3"), "S", "unattended", "p1");
    await wait();
    alerts.closed("S", "p1");
    alerts.closed("S", "p3");
    await wait();
    expect(refreshed.at(-1)).toEqual(["p2"]);
    expect(takenBack).toEqual([]);
    alerts.closed("S", "p2");
    await wait();
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test("of two asks told one after the other stays until both are answered", async () => {
    const { alerts, refreshed, takenBack, wait, news } = createAlertsStage();
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    alerts.open(pause("p2"), "S", "unattended", "p2");
    await wait();
    alerts.closed("S", "p2");
    await wait();
    expect(takenBack).toEqual([]);
    expect(refreshed.at(-1)).toEqual(["p1"]);
    alerts.closed("S", "p1");
    await wait();
    expect(news().slice(2)).toEqual(["pause withdrawn answered p2", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test.each([
    ["works again", "worksAgain", "resumed"],
    ["was seen, says the host", "seen", "seen"],
  ] as const)("goes when the session %s; an ask stays", async (_, method, reason) => {
    const { alerts, wait, news } = createAlertsStage();
    alerts.open(done, "S", "unattended");
    await wait();
    alerts[method]("S");
    await wait();
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    alerts[method]("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended", `done withdrawn ${reason}`, "pause delivered unattended p1"]);
  });

  test("has no line of being taken back where nothing can be, as by plain osascript", async () => {
    const { alerts, canTakeBack, takenBack, wait, news } = createAlertsStage();
    canTakeBack();
    alerts.open(done, "S", "unattended");
    alerts.open(pause("p1", "p2"), "R", "unattended", "p1");
    await wait();
    alerts.worksAgain("S");
    alerts.closed("R", "p1");
    alerts.closed("R", "p2");
    await wait();
    expect(takenBack).toEqual(["S", "R"]);
    expect(news()).toEqual(["done delivered unattended", "pause delivered unattended p1"]);
  });

  test("names the channels from which it went", async () => {
    const { alerts, decided, wait } = createAlertsStage({ file: { alerts: { done: { mode: "both" } } } });
    alerts.open(done, "S", "unattended");
    await wait();
    alerts.worksAgain("S");
    await wait();
    expect(decided.map(({ outcome, channels }) => [outcome, channels])).toEqual([
      ["delivered", ["banner", "voice"]],
      ["withdrawn", ["banner"]],
    ]);
  });

  test("whose place a newer one of its session took is not taken back, nor is the newer one", async () => {
    const { alerts, takenBack, wait, news } = createAlertsStage();
    alerts.open(failure, "S", "stuck");
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    news();
    alerts.worksAgain("S");
    await wait();
    expect(takenBack).toEqual([]);
    expect(news()).toEqual([]);
  });

  test("goes when somebody comes to look", async () => {
    const { alerts, shows, takenBack, wait, news } = createAlertsStage();
    alerts.open(done, "S", "unattended");
    await wait();
    shows("T1", "R");
    expect(takenBack).toEqual([]);
    shows("T1", "S");
    await wait();
    expect(news()).toEqual(["done delivered unattended", "done withdrawn seen"]);
  });

  test("stays when somebody looks who wants banners all the same", async () => {
    const { alerts, shows, wait, news } = createAlertsStage({ file: { alerts: { done: { whenFocused: "deliver" } } } });
    alerts.open(done, "S", "unattended");
    shows("T1", "S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("that was only spoken has no line of being taken back", async () => {
    const { alerts, wait, news } = createAlertsStage({ file: { alerts: { done: { mode: "voice" } } } });
    alerts.open(done, "S", "unattended");
    await wait();
    alerts.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("that never came has no line of being taken back", async () => {
    const { alerts, channelsAnswer, wait, news } = createAlertsStage();
    channelsAnswer({ channels: [], failure: "no-channel" });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    alerts.closed("S", "p1");
    await wait();
    expect(news()).toEqual(["pause failed no-channel p1"]);
  });

  test("that the person closed is not taken back any more", async () => {
    const { alerts, takenBack, wait, news } = createAlertsStage();
    alerts.open(done, "S", "unattended");
    await wait();
    alerts.bannerClosed("S", true);
    alerts.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
    expect(takenBack).toEqual([]);
  });

  test("that went by itself has nothing to take back, and no longer counts as up", async () => {
    const { alerts, canTakeBack, wait, news } = createAlertsStage();
    alerts.open(done, "S", "unattended");
    await wait();
    expect(alerts.finished()).toEqual(["S"]);
    alerts.bannerClosed("S", false);
    canTakeBack();
    expect(alerts.finished()).toEqual([]);
    alerts.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("of a session that is gone stays, and nothing follows", async () => {
    const { clock, alerts, takenBack, wait, news } = createAlertsStage({
      file: { alerts: { reminder: { afterSeconds: 60 } } },
    });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    alerts.forgotten("S");
    await wait(minutes(60));
    expect(news()).toEqual(["pause delivered unattended p1"]);
    expect(takenBack).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });

  test("names nothing of an ask that was seen and left before", async () => {
    const { alerts, shows, leaves, wait, refreshed } = createAlertsStage();
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    shows("T1", "S");
    leaves("T1");
    await wait(5_000);
    alerts.open(pause("p2", "p3"), "S", "unattended", "p2");
    await wait();
    alerts.closed("S", "p2");
    await wait();
    expect(refreshed).toEqual([["p3"]]);
    alerts.closed("S", "p1");
    await wait();
    expect(refreshed).toEqual([["p3"]]);
  });

  test("keeps its words when one of the asks behind a newer error is answered", async () => {
    const { alerts, wait, refreshed } = createAlertsStage();
    alerts.open(pause("p1", "p2"), "S", "unattended", "p1");
    alerts.open(failure, "S", "unattended");
    await wait();
    alerts.closed("S", "p1");
    await wait();
    expect(refreshed).toEqual([]);
  });
});
