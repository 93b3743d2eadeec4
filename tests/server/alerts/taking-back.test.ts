import { describe, expect, test } from "vitest";
import { createCallsStage, done, failure, pause } from "../../fakes/calls-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("a banner that has become pointless", () => {
  test("is taken back when the ask was answered", async () => {
    const { calls, takenBack, wait, news } = createCallsStage();
    calls.open(pause("p1"), "S", "unattended", "p1");
    calls.closed("S", "p1");
    await wait();
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test("names what is left, and goes with the last", async () => {
    const { calls, refreshed, takenBack, wait, news } = createCallsStage();
    calls.open(pause("p1", "p2", "p3"), "S", "unattended", "p1");
    await wait();
    calls.closed("S", "p1");
    calls.closed("S", "p3");
    await wait();
    expect(refreshed.at(-1)).toEqual(["p2"]);
    expect(takenBack).toEqual([]);
    calls.closed("S", "p2");
    await wait();
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test("of two asks told one after the other stays until both are answered", async () => {
    const { calls, refreshed, takenBack, wait, news } = createCallsStage();
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    calls.open(pause("p2"), "S", "unattended", "p2");
    await wait();
    calls.closed("S", "p2");
    await wait();
    expect(takenBack).toEqual([]);
    expect(refreshed.at(-1)).toEqual(["p1"]);
    calls.closed("S", "p1");
    await wait();
    expect(news().slice(2)).toEqual(["pause withdrawn answered p2", "pause withdrawn answered p1"]);
    expect(takenBack).toEqual(["S"]);
  });

  test.each([
    ["works again", "worksAgain", "resumed"],
    ["was seen, says the host", "seen", "seen"],
  ] as const)("goes when the session %s; an ask stays", async (_, method, reason) => {
    const { calls, wait, news } = createCallsStage();
    calls.open(done, "S", "unattended");
    await wait();
    calls[method]("S");
    await wait();
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    calls[method]("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended", `done withdrawn ${reason}`, "pause delivered unattended p1"]);
  });

  test("has no line of being taken back where nothing can be, as by plain osascript", async () => {
    const { calls, canTakeBack, takenBack, wait, news } = createCallsStage();
    canTakeBack();
    calls.open(done, "S", "unattended");
    calls.open(pause("p1", "p2"), "R", "unattended", "p1");
    await wait();
    calls.worksAgain("S");
    calls.closed("R", "p1");
    calls.closed("R", "p2");
    await wait();
    expect(takenBack).toEqual(["S", "R"]);
    expect(news()).toEqual(["done delivered unattended", "pause delivered unattended p1"]);
  });

  test("names the channels from which it went", async () => {
    const { calls, decided, wait } = createCallsStage({ file: { alerts: { done: { mode: "both" } } } });
    calls.open(done, "S", "unattended");
    await wait();
    calls.worksAgain("S");
    await wait();
    expect(decided.map(({ outcome, channels }) => [outcome, channels])).toEqual([
      ["delivered", ["banner", "voice"]],
      ["withdrawn", ["banner"]],
    ]);
  });

  test("whose place a newer one of its session took is not taken back, nor is the newer one", async () => {
    const { calls, takenBack, wait, news } = createCallsStage();
    calls.open(failure, "S", "stuck");
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    news();
    calls.worksAgain("S");
    await wait();
    expect(takenBack).toEqual([]);
    expect(news()).toEqual([]);
  });

  test("goes when somebody comes to look", async () => {
    const { calls, shows, takenBack, wait, news } = createCallsStage();
    calls.open(done, "S", "unattended");
    await wait();
    shows("T1", "R");
    expect(takenBack).toEqual([]);
    shows("T1", "S");
    await wait();
    expect(news()).toEqual(["done delivered unattended", "done withdrawn seen"]);
  });

  test("stays when somebody looks who wants banners all the same", async () => {
    const { calls, shows, wait, news } = createCallsStage({ file: { alerts: { done: { whenFocused: "deliver" } } } });
    calls.open(done, "S", "unattended");
    shows("T1", "S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("that was only spoken has no line of being taken back", async () => {
    const { calls, wait, news } = createCallsStage({ file: { alerts: { done: { mode: "voice" } } } });
    calls.open(done, "S", "unattended");
    await wait();
    calls.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("that never came has no line of being taken back", async () => {
    const { calls, channelsAnswer, wait, news } = createCallsStage();
    channelsAnswer({ channels: [], failure: "no-channel" });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    calls.closed("S", "p1");
    await wait();
    expect(news()).toEqual(["pause failed no-channel p1"]);
  });

  test("that the person closed is not taken back any more", async () => {
    const { calls, takenBack, wait, news } = createCallsStage();
    calls.open(done, "S", "unattended");
    await wait();
    calls.bannerClosed("S", true);
    calls.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
    expect(takenBack).toEqual([]);
  });

  test("that went by itself has nothing to take back, and no longer counts as up", async () => {
    const { calls, canTakeBack, wait, news } = createCallsStage();
    calls.open(done, "S", "unattended");
    await wait();
    expect(calls.finished()).toEqual(["S"]);
    calls.bannerClosed("S", false);
    canTakeBack();
    expect(calls.finished()).toEqual([]);
    calls.worksAgain("S");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("of a session that is gone stays, and nothing follows", async () => {
    const { clock, calls, takenBack, wait, news } = createCallsStage({
      file: { alerts: { reminder: { afterSeconds: 60 } } },
    });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    calls.forgotten("S");
    await wait(minutes(60));
    expect(news()).toEqual(["pause delivered unattended p1"]);
    expect(takenBack).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });

  test("names nothing of an ask that was seen and left before", async () => {
    const { calls, shows, leaves, wait, refreshed } = createCallsStage();
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    shows("T1", "S");
    leaves("T1");
    await wait(5_000);
    calls.open(pause("p2", "p3"), "S", "unattended", "p2");
    await wait();
    calls.closed("S", "p2");
    await wait();
    expect(refreshed).toEqual([["p3"]]);
    calls.closed("S", "p1");
    await wait();
    expect(refreshed).toEqual([["p3"]]);
  });

  test("keeps its words when one of the asks behind a newer error is answered", async () => {
    const { calls, wait, refreshed } = createCallsStage();
    calls.open(pause("p1", "p2"), "S", "unattended", "p1");
    calls.open(failure, "S", "unattended");
    await wait();
    calls.closed("S", "p1");
    await wait();
    expect(refreshed).toEqual([]);
  });
});
