import { describe, expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

type Answer = () => Promise<boolean | undefined>;
const unknown: Answer = async () => undefined;
const target = { type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 120, events: ["pause", "done"] };

/** Alerts on a desktop that tells this of itself. */
const desktop = ({ isLocked = unknown, doNotDisturb = unknown, file = {} }) =>
  createAlertsStage({ file, screen: { isLocked, doNotDisturb } });

describe("a locked screen", () => {
  const locked = (answer: Answer, file = {}) => {
    const stage = desktop({ isLocked: answer, file });
    stage.terminals.shows("T1", "S");
    return stage;
  };

  test("is not looking, whatever the terminal says", async () => {
    const { alerts, wait, news } = locked(async () => true);
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test.each([false, undefined])("that is %s changes nothing", async (answer) => {
    const { alerts, wait, news } = locked(async () => answer);
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done suppressed attended"]);
  });

  test("nobody can ask about holds nothing up and loses nothing", async () => {
    for (const answer of [() => Promise.reject(new Error("no bus")), () => new Promise<boolean>(() => {})]) {
      const { alerts, wait, news } = locked(answer);
      alerts.open(done, "S", "unattended");
      await wait(2_000);
      expect(news()).toEqual(["done suppressed attended"]);
    }
  });

  test("is asked about, and the ask is answered meanwhile: nobody was needed", async () => {
    const { alerts, wait, news } = locked(() => new Promise(() => {}));
    alerts.open(pause("p1"), "S", "unattended", "p1");
    alerts.closed("S", "p1");
    await wait(2_000);
    expect(news()).toEqual(["pause silent auto-answered p1"]);
  });

  test("is asked about, and the session works again meanwhile: nobody was needed", async () => {
    const { alerts, wait, news } = locked(() => new Promise(() => {}));
    alerts.open(done, "S", "unattended");
    alerts.worksAgain("S");
    await wait(2_000);
    expect(news()).toEqual(["done silent superseded"]);
    expect(alerts.all()).toEqual([]);
  });

  test("is asked about, and the person leaves meanwhile: told", async () => {
    let answer = (_: boolean) => {};
    const asked = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const { alerts, leaves, wait, news } = locked(() => asked);
    alerts.open(done, "S", "unattended");
    leaves("T1");
    answer(false);
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("is not looking either where banner and voice are wanted: both come", async () => {
    const { alerts, told, wait, news } = locked(async () => true, { alerts: { done: { mode: "both" } } });
    alerts.open(done, "S", "unattended");
    await wait();
    expect(told).toMatchObject([{ channels: ["banner", "voice"] }]);
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("keeps the banner up though the terminal goes on saying focused; the first sign of life takes it back", async () => {
    const { alerts, beats, wait, news } = locked(async () => true);
    alerts.open(done, "S", "unattended");
    await wait();
    await wait(10_000);
    beats("T1", "S", 10_000);
    await wait();
    expect(news()).toEqual(["done delivered unattended"]);
    beats("T1", "S", 0);
    await wait();
    expect(news()).toEqual(["done withdrawn seen"]);
  });

  test("lets reminder and message come, whatever the terminal says", async () => {
    const reminder = { afterSeconds: 20, times: 1 };
    const file = { alerts: { focus: { suppress: "none" }, reminder, push: [{ ...target, afterSeconds: 25 }] } };
    const answers = [false, false]; // locked only after the alert was told
    const { alerts, pushed, wait, news } = locked(async () => answers.pop() ?? true, file);
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    await wait(20_000);
    await wait(5_000);
    expect(news()).toEqual([
      "pause delivered unattended p1",
      "pause delivered overdue p1",
      "pause delivered overdue p1",
    ]);
    expect(pushed).toEqual(["S"]);
  });

  test("brings neither reminder nor message to somebody who looks by ssh by then", async () => {
    const file = { alerts: { reminder: { afterSeconds: 20, times: 1 }, push: [{ ...target, afterSeconds: 20 }] } };
    const answers = [false, true]; // open for a moment while the banner is told: else the message leaves at once
    const { alerts, terminals, pushed, wait, news } = locked(async () => answers.pop() ?? true, file);
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait(10_000);
    const report = { focus: "focused", view: { type: "session", sessionID: "S" }, idleMs: 60_000 } as const;
    terminals.report("T2", report, { abilities: { notify: ["osc9"], ssh: true } });
    alerts.presenceChanged();
    await wait(10_000);
    expect(news()).toEqual(["pause delivered unattended p1"]);
    expect(pushed).toEqual([]);
  });

  test("is not what somebody looks at who came by ssh", async () => {
    const { alerts, terminals, wait, news } = desktop({ isLocked: async () => true });
    const report = { focus: "focused", view: { type: "session", sessionID: "S" } } as const;
    terminals.report("T1", report, { abilities: { notify: ["osc9"], ssh: true } });
    alerts.open(done, "S", "unattended");
    await wait();
    expect(news()).toEqual(["done suppressed attended"]);
  });
});

describe("a banner that is taken and not seen", () => {
  test.each([
    ["do-not-disturb", { doNotDisturb: async () => true }],
    ["locked", { isLocked: async () => true }],
  ])("says in its line why: %s", async (why, told) => {
    const { alerts, decided, wait } = desktop(told);
    alerts.open(done, "S", "unattended");
    await wait();
    expect(decided).toMatchObject([{ outcome: "delivered", channels: ["banner"], hidden: [why] }]);
  });

  test("of which nothing is known has a line that says nothing of it", async () => {
    const { alerts, decided, wait } = desktop({ doNotDisturb: async () => false });
    alerts.open(done, "S", "unattended");
    await wait();
    expect(decided[0]).not.toHaveProperty("hidden");
  });

  test("is not held up by the question, nor lost with its answer", async () => {
    const { alerts, told, wait, news } = desktop({ doNotDisturb: () => new Promise(() => {}) });
    alerts.open(done, "S", "unattended");
    expect(told).toHaveLength(1);
    await wait(1_000);
    expect(news()).toEqual(["done delivered unattended"]);
  });

  test("lets the message leave at once instead of later, once", async () => {
    const file = { alerts: { push: [target] } };
    const { alerts, decided, pushed, wait, news } = desktop({ doNotDisturb: async () => true, file });
    alerts.open(pause("p1"), "S", "unattended", "p1");
    await wait();
    expect(pushed).toEqual(["S"]);
    expect(decided.map(({ channels }) => channels)).toEqual([["banner"], ["push"]]);
    await wait(3_600_000);
    expect(pushed).toEqual(["S"]);
    expect(news()).toEqual(["pause delivered unattended p1", "pause delivered unattended p1"]);
  });

  test("lets no message leave for a kind that has none, nor one that was answered meanwhile", async () => {
    const file = { alerts: { push: [{ ...target, events: ["pause"] }] } };
    let answer = (_: boolean) => {};
    const asked = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const { alerts, pushed, wait } = desktop({ doNotDisturb: () => asked, file });
    alerts.open(done, "R", "unattended");
    alerts.open(pause("p1"), "S", "unattended", "p1");
    alerts.closed("S", "p1");
    answer(true);
    await wait(3_600_000);
    expect(pushed).toEqual([]);
  });
});
