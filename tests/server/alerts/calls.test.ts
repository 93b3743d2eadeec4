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

describe("an ask somebody looks at", () => {
  function deferred(file = {}) {
    const stage = createCallsStage({ file });
    stage.terminals.shows("T1", "S");
    stage.calls.open(pause("p1"), "S", "unattended", "p1");
    return stage;
  }

  test("is told once when they leave without answering", async () => {
    const { wait, leaves, news } = deferred();
    leaves("T1");
    await wait(4_999);
    expect(news()).toEqual(["pause deferred attended p1"]);
    await wait(1);
    await wait(minutes(60));
    expect(news()).toEqual(["pause delivered left p1"]);
  });

  test("is told in time though other terminals keep reporting", async () => {
    const { terminals, calls, wait, leaves, news } = deferred();
    leaves("T1");
    for (let second = 0; second < 5; second += 1) {
      await wait(1_000);
      terminals.shows("T2", "R");
      calls.presenceChanged();
    }
    await wait();
    expect(news()).toEqual(["pause deferred attended p1", "pause delivered left p1"]);
  });

  test("is not told when they come back in time", async () => {
    const { wait, leaves, shows, news } = deferred({ alerts: { focus: { idleSeconds: 0 } } });
    leaves("T1");
    await wait(4_000);
    shows("T1", "S");
    await wait(20_000);
    expect(news()).toEqual(["pause deferred attended p1"]);
  });

  test("is not told once it was answered", async () => {
    const { calls, wait, leaves, news } = deferred();
    calls.closed("S", "p1");
    leaves("T1");
    await wait(minutes(60));
    expect(news()).toEqual(["pause deferred attended p1"]);
    expect(calls.all()).toEqual([]);
  });

  test("is told when they only seem to look: no key for ten minutes", async () => {
    const { wait, beats, news } = deferred();
    for (let beat = 1; beat <= 59; beat += 1) {
      await wait(10_000);
      beats("T1", "S", beat * 10_000);
    }
    expect(news()).toEqual(["pause deferred attended p1"]);
    await wait(10_000);
    beats("T1", "S", minutes(10));
    await wait(5_000);
    expect(news()).toEqual(["pause delivered left p1"]);
  });

  test("is told when their terminal dies without a word", async () => {
    const { wait, news } = deferred();
    await wait(30_000);
    await wait(5_000);
    expect(news()).toEqual(["pause deferred attended p1", "pause delivered left p1"]);
  });

  test("names only what is still open when they leave", async () => {
    const { calls, terminals, told, wait, leaves, news } = createCallsStage();
    terminals.shows("T1", "S");
    calls.open(pause("p1", "p2"), "S", "unattended", "p1");
    leaves("T1");
    await wait(2_000);
    calls.closed("S", "p1");
    await wait(3_000);
    expect(told).toMatchObject([{ alert: pause("p2") }]);
    expect(news()).toEqual(["pause deferred attended p1", "pause delivered left p2"]);
  });

  test("that was spoken in front of them gets its banner when they leave, and is not spoken again", async () => {
    const { told, wait, leaves, news } = deferred({ alerts: { pause: { mode: "both" } } });
    leaves("T1");
    await wait(5_000);
    expect(news()).toEqual(["pause delivered attended p1", "pause delivered left p1"]);
    expect(told.map(({ channels }) => channels)).toEqual([["voice"], ["banner"]]);
  });

  test("that was spoken in front of them and answered there is told no more", async () => {
    const { calls, wait, leaves, news } = deferred({ alerts: { pause: { mode: "both" } } });
    calls.closed("S", "p1");
    leaves("T1");
    await wait(minutes(60));
    expect(news().slice(0, 1)).toEqual(["pause delivered attended p1"]);
    expect(calls.all()).toEqual([]);
  });

  test("is silent when it may not leave any more", async () => {
    const { mute, clock, calls, wait, leaves, news } = deferred();
    mute(clock.wall() + minutes(60));
    leaves("T1");
    await wait(5_000);
    expect(news()).toEqual(["pause deferred attended p1", "pause silent muted p1"]);
    expect(calls.all()).toEqual([]);
  });
});

describe("an end somebody seemed to look at, with unseen ends told", () => {
  const file = { alerts: { focus: { unseenSeconds: 60 } } };

  test("is told once when no sign of life follows, though the terminal says focused", async () => {
    const { calls, wait, beats, news } = createCallsStage({ file });
    beats("T1", "S", 0);
    calls.open(done, "S", "unattended");
    for (let beat = 1; beat <= 12; beat += 1) {
      await wait(10_000);
      beats("T1", "S", beat * 10_000);
    }
    expect(news()).toEqual(["done suppressed attended", "done delivered unseen"]);
  });

  test("is taken back at the next sign of life", async () => {
    const { calls, takenBack, wait, beats, news } = createCallsStage({ file });
    beats("T1", "S", 0);
    calls.open(done, "S", "unattended");
    for (let beat = 1; beat <= 7; beat += 1) {
      await wait(10_000);
      beats("T1", "S", beat * 10_000);
    }
    news();
    beats("T1", "S", 0);
    await wait();
    expect(news()).toEqual(["done withdrawn seen"]);
    expect(takenBack).toEqual(["S"]);
  });

  test("is not told when a key is pressed in time", async () => {
    const { calls, wait, beats, news } = createCallsStage({ file });
    beats("T1", "S", 0);
    calls.open(done, "S", "unattended");
    await wait(20_000);
    beats("T1", "S", 5_000);
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
  });

  test("is not told when the session works again", async () => {
    const { clock, calls, wait, beats, news } = createCallsStage({ file });
    beats("T1", "S", 0);
    calls.open(done, "S", "unattended");
    calls.worksAgain("S");
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
    expect(clock.waiting()).toBe(0);
  });

  test("is not told while alerts are muted", async () => {
    const { clock, calls, mute, wait, beats, news } = createCallsStage({ file });
    beats("T1", "S", 0);
    calls.open(done, "S", "unattended");
    mute(clock.wall() + minutes(60));
    await wait(minutes(2));
    expect(news()).toEqual(["done suppressed attended"]);
  });
});

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
});

describe("reminders", () => {
  const file = (times: number) => ({ alerts: { reminder: { afterSeconds: 120, times } } });

  test("come as often as wanted, and end with the answer", async () => {
    const { calls, told, wait, news } = createCallsStage({ file: file(3) });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait(120_000);
    await wait(120_000);
    calls.closed("S", "p1");
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
    const { calls, wait, news } = createCallsStage({ file: file(1) });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait(minutes(60));
    await wait(minutes(60));
    expect(news()).toEqual(["pause delivered unattended p1", "pause delivered overdue p1"]);
  });

  test("go on when somebody saw the banner and left without answering, counted from then", async () => {
    const { calls, shows, leaves, wait, news } = createCallsStage({ file: file(3) });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait(60_000);
    shows("T1", "S");
    await wait();
    leaves("T1");
    await wait(5_000 + 119_999);
    expect(news()).toEqual(["pause delivered unattended p1", "pause withdrawn seen p1"]);
    await wait(1);
    expect(news()).toEqual(["pause delivered overdue p1"]);
    calls.closed("S", "p1");
    await wait(minutes(60));
    expect(news()).toEqual(["pause withdrawn answered p1"]);
  });

  test.each([
    ["focus is not used", { focus: { enabled: false } }],
    ["nothing is to be suppressed", { focus: { suppress: "none" } }],
    ["asks are to come while somebody looks", { pause: { whenFocused: "deliver" } }],
  ])("and messages come in front of somebody's eyes where %s", async (_, alerts) => {
    const push = [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 60 }];
    const { calls, terminals, pushed, wait, news } = createCallsStage({
      file: { alerts: { ...alerts, ...file(1).alerts, push } },
    });
    terminals.shows("T1", "S");
    calls.open(pause("p1"), "S", "unattended", "p1");
    for (let beat = 0; beat < 13; beat += 1) {
      await wait(10_000);
      terminals.shows("T1", "S");
      calls.presenceChanged();
    }
    expect(pushed).toEqual(["S"]);
    expect(news()).toEqual([
      "pause delivered unattended p1",
      "pause delivered overdue p1",
      "pause delivered overdue p1",
    ]);
  });

  test("are never about an end", async () => {
    const { clock, calls, wait, news } = createCallsStage({ file: file(3) });
    calls.open(done, "S", "unattended");
    await wait(minutes(60));
    expect(news()).toEqual(["done delivered unattended"]);
    expect(clock.waiting()).toBe(0);
  });

  test("do not come while alerts are muted, and leave no second line", async () => {
    const { clock, calls, mute, wait, news } = createCallsStage({ file: file(3) });
    calls.open(pause("p1"), "S", "unattended", "p1");
    mute(clock.wall() + minutes(60));
    await wait(minutes(30));
    expect(news()).toEqual(["pause delivered unattended p1"]);
  });
});

describe("push", () => {
  const target = { type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 120 };

  test("leaves the machine when nobody reacted for a while", async () => {
    const { calls, pushed, wait, news } = createCallsStage({ file: { alerts: { push: [target] } } });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait(119_999);
    expect(pushed).toEqual([]);
    await wait(1);
    await wait(minutes(60));
    expect(pushed).toEqual(["S"]);
    expect(news()).toEqual(["pause delivered unattended p1", "pause delivered overdue p1"]);
  });

  test.each(["answered", "attended", "muted"])("does not leave when it was %s meanwhile", async (how) => {
    const { clock, calls, mute, shows, pushed, wait } = createCallsStage({ file: { alerts: { push: [target] } } });
    calls.open(pause("p1"), "S", "unattended", "p1");
    await wait(60_000);
    if (how === "answered") calls.closed("S", "p1");
    if (how === "attended") shows("T1", "S");
    if (how === "muted") mute(clock.wall() + minutes(60));
    await wait(60_000);
    expect(pushed).toEqual([]);
  });

  test("leaves once about an ask, however often somebody looks and leaves it unanswered", async () => {
    const { calls, shows, leaves, pushed, wait } = createCallsStage({ file: { alerts: { push: [target] } } });
    calls.open(pause("p1"), "S", "unattended", "p1");
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
    const { calls, pushed, wait } = createCallsStage({ file: { alerts: { push: [target, both] } } });
    calls.open(done, "S", "unattended");
    await wait(minutes(60));
    expect(pushed).toEqual(["S"]);
  });
});

describe("taking over", () => {
  test("a told banner is taken back by whoever comes after", async () => {
    const before = createCallsStage();
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    await before.wait();
    before.calls.stop();
    const after = createCallsStage({ seed: before.calls.all() });
    after.calls.resume();
    after.calls.closed("S", "p1");
    await after.wait();
    expect(after.news()).toEqual(["pause withdrawn answered p1"]);
    expect(after.takenBack).toEqual(["S"]);
  });

  test("a message that was to leave leaves in time, one that left does not again", async () => {
    const target = { type: "ntfy", url: "https://ntfy.example", topic: "t" };
    const file = { alerts: { push: [60, 120].map((afterSeconds) => ({ ...target, afterSeconds })) } };
    const before = createCallsStage({ file });
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    await before.wait(90_000);
    before.calls.stop();
    const after = createCallsStage({ file, seed: before.calls.all() });
    await after.wait(90_000); // its clock begins anew
    after.calls.resume();
    await after.wait(29_999);
    expect([before.pushed, after.pushed]).toEqual([["S"], []]);
    await after.wait(1);
    await after.wait(minutes(60));
    expect(after.pushed).toEqual(["S"]);
  });

  test("a banner that was still on its way is taken back too", async () => {
    const before = createCallsStage();
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    before.calls.stop();
    const after = createCallsStage({ seed: before.calls.all() });
    after.calls.resume();
    after.calls.closed("S", "p1");
    await after.wait();
    expect(after.news()).toEqual(["pause withdrawn answered p1"]);
  });

  test("an ask somebody looked at is still told when they leave", async () => {
    const before = createCallsStage();
    before.terminals.shows("T1", "S");
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    before.calls.stop();
    expect(before.clock.waiting()).toBe(0);
    const after = createCallsStage({ seed: before.calls.all() });
    after.calls.resume();
    await after.wait(5_000);
    expect(after.news()).toEqual(["pause delivered left p1"]);
  });

  test("an end nobody seemed to see is still told by whoever comes after, in its time", async () => {
    const file = { alerts: { focus: { unseenSeconds: 60 } } };
    const before = createCallsStage({ file });
    before.terminals.shows("T1", "S");
    before.calls.open(done, "S", "unattended");
    await before.wait(20_000);
    before.calls.stop();
    const after = createCallsStage({ file, seed: before.calls.all() });
    await after.wait(20_000); // its clock begins anew
    after.calls.resume();
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
    const before = createCallsStage({ more: { screen } });
    before.terminals.shows("T1", "S");
    before.calls.open(alert, "S", "unattended", alert.kind === "pause" ? "p1" : undefined);
    before.calls.stop();
    const after = createCallsStage({ seed: before.calls.all(), more: { screen } });
    after.calls.resume();
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
    const before = createCallsStage({ file, more: { screen } });
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    await before.wait(59_000);
    screenAsked = new Promise((resolve) => {
      answer = resolve;
    });
    before.terminals.shows("T1", "S"); // its news comes with the next change
    await before.wait(1_000);
    before.calls.stop();
    const after = createCallsStage({ file, seed: before.calls.all(), more: { screen } });
    after.terminals.shows("T1", "S");
    await after.wait(70_000); // its clock begins anew
    after.calls.resume();
    await after.wait(0);
    answer(true);
    await Promise.all([before.wait(minutes(5)), after.wait(minutes(5))]);
    expect([before.news(), after.news()]).toEqual([["pause delivered unattended p1"], ["pause delivered overdue p1"]]);
    expect([before.pushed, after.pushed]).toEqual([[], pushed]);
  });

  test("a later alert never takes the place of one that was handed over", async () => {
    const before = createCallsStage();
    before.calls.open(done, "S", "unattended");
    before.calls.open(pause("p1"), "S", "unattended", "p1");
    await before.wait();
    before.calls.worksAgain("S");
    before.calls.stop();
    const after = createCallsStage({ seed: before.calls.all() });
    after.calls.resume();
    after.calls.open(done, "S", "unattended");
    expect(after.calls.openRequests("S")).toMatchObject([{ requestID: "p1" }]);
    after.calls.worksAgain("S");
    after.calls.closed("S", "p1");
    await after.wait();
    expect(after.news().toSorted()).toEqual(["done delivered unattended", "pause withdrawn answered p1"]);
  });
});

test("five hundred ends are remembered, the oldest beyond that are let go, an ask never", async () => {
  const { calls, wait } = createCallsStage();
  calls.open(pause("p1"), "asking", "unattended", "p1");
  for (let number = 0; number < 600; number += 1) calls.open(done, `ses_${number}`, "unattended");
  await wait();
  expect(calls.all()).toHaveLength(500);
  expect(calls.openRequests("asking")).toHaveLength(1);
});
