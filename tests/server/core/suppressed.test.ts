import { describe, expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

const minutes = (count: number): number => count * 60_000;

describe("an ask somebody looks at", () => {
  function deferred(file = {}) {
    const stage = createAlertsStage({ file });
    stage.terminals.shows("T1", "S");
    stage.alerts.open(pause("p1"), "S", "unattended", "p1");
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
    const { terminals, alerts, wait, leaves, news } = deferred();
    leaves("T1");
    for (let second = 0; second < 5; second += 1) {
      await wait(1_000);
      terminals.shows("T2", "R");
      alerts.presenceChanged();
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

  test("is told in full time after they left again, not after the first time", async () => {
    const { alerts, shows, leaves, wait, news } = createAlertsStage();
    shows("T1", "S");
    alerts.open(pause("p1"), "S", "unattended", "p1");
    leaves("T1");
    await wait(3_000);
    shows("T1", "S");
    await wait(1_000);
    leaves("T1");
    await wait(4_999);
    expect(news()).toEqual(["pause deferred attended p1"]);
    await wait(1);
    expect(news()).toEqual(["pause delivered left p1"]);
  });

  test("is not told once it was answered", async () => {
    const { alerts, wait, leaves, news } = deferred();
    alerts.closed("S", "p1");
    leaves("T1");
    await wait(minutes(60));
    expect(news()).toEqual(["pause deferred attended p1"]);
    expect(alerts.all()).toEqual([]);
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
    const { alerts, terminals, told, wait, leaves, news } = createAlertsStage();
    terminals.shows("T1", "S");
    alerts.open(pause("p1", "p2"), "S", "unattended", "p1");
    leaves("T1");
    await wait(2_000);
    alerts.closed("S", "p1");
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
    const { alerts, wait, leaves, news } = deferred({ alerts: { pause: { mode: "both" } } });
    alerts.closed("S", "p1");
    leaves("T1");
    await wait(minutes(60));
    expect(news().slice(0, 1)).toEqual(["pause delivered attended p1"]);
    expect(alerts.all()).toEqual([]);
  });

  test("is silent when it may not leave any more", async () => {
    const { mute, clock, alerts, wait, leaves, news } = deferred();
    mute(clock.wall() + minutes(60));
    leaves("T1");
    await wait(5_000);
    expect(news()).toEqual(["pause deferred attended p1", "pause silent muted p1"]);
    expect(alerts.all()).toEqual([]);
  });
});

describe("an end somebody seemed to look at, with unseen ends told", () => {
  const file = { alerts: { focus: { unseenSeconds: 60 } } };

  test("is told once when no sign of life follows, though the terminal says focused", async () => {
    const { alerts, wait, beats, news } = createAlertsStage({ file });
    beats("T1", "S", 0);
    alerts.open(done, "S", "unattended");
    for (let beat = 1; beat <= 12; beat += 1) {
      await wait(10_000);
      beats("T1", "S", beat * 10_000);
    }
    expect(news()).toEqual(["done suppressed attended", "done delivered unseen"]);
  });

  test("is taken back at the next sign of life", async () => {
    const { alerts, takenBack, wait, beats, news } = createAlertsStage({ file });
    beats("T1", "S", 0);
    alerts.open(done, "S", "unattended");
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
    const { alerts, wait, beats, news } = createAlertsStage({ file });
    beats("T1", "S", 0);
    alerts.open(done, "S", "unattended");
    await wait(20_000);
    beats("T1", "S", 5_000);
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
  });

  test("is not told when the session works again", async () => {
    const { clock, alerts, wait, beats, news } = createAlertsStage({ file });
    beats("T1", "S", 0);
    alerts.open(done, "S", "unattended");
    alerts.worksAgain("S");
    await wait(minutes(60));
    expect(news()).toEqual(["done suppressed attended"]);
    expect(clock.waiting()).toBe(0);
  });

  test("is not told while alerts are muted", async () => {
    const { clock, alerts, mute, wait, beats, news } = createAlertsStage({ file });
    beats("T1", "S", 0);
    alerts.open(done, "S", "unattended");
    mute(clock.wall() + minutes(60));
    await wait(minutes(2));
    expect(news()).toEqual(["done suppressed attended"]);
  });
});
