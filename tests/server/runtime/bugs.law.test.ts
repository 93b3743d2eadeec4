import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/server/core/decision.ts";
import { english } from "../../../src/server/core/wording/en.ts";
import type { DeciderDeps } from "../../../src/server/runtime/decider.ts";
import { createFakeChannels } from "../../fakes/channels.ts";
import { configWith } from "../../fakes/config.ts";
import { createDeciderStage, type DeciderStage, type DeciderStageOptions } from "../../fakes/decider-stage.ts";
import { begin, hostDelayMs, play, sessions, story } from "../../fakes/decider-story.ts";
import { permission, working } from "../../fakes/session-stage.ts";

type Throw = (where: string) => void;

/** Everything the engine is handed, each call of it a place where a bug of ours can be. */
function aroundIt(meet: Throw, file: object): Partial<DeciderDeps> {
  const config = configWith(file);
  const { channels } = createFakeChannels();
  const met =
    <A extends readonly unknown[], T>(where: string, run: (...given: A) => T) =>
    (...given: A): T => {
      meet(where);
      return run(...given);
    };
  const { banner, voice, terminal } = channels;
  return {
    config: met("config", () => config),
    wording: met("wording", () => english),
    mutedUntil: met("mutedUntil", () => undefined),
    hasDesktop: met("hasDesktop", () => true),
    channels: {
      banner: {
        ...banner,
        send: met("banner.send", banner.send),
        update: met("banner.update", banner.update),
        withdraw: met("banner.withdraw", banner.withdraw),
      },
      voice: { ...voice, send: met("voice.send", voice.send) },
      terminal: { ...terminal, send: met("terminal.send", terminal.send) },
    },
    screen: {
      isLocked: met("isLocked", async () => false),
      doNotDisturb: met("doNotDisturb", async () => undefined),
    },
    push: {
      send: met("push.send", async () => ({ ok: true, outlet: "webhook", certainty: "accepted" }) as const),
      withdraw: met("push.withdraw", async () => true),
      closed: met("push.closed", () => {}),
    },
  };
}

/** Whoever asks who looks may meet one, too; the stage's own terminals answer. */
function stageWith(meet: Throw, options: DeciderStageOptions = {}): DeciderStage {
  const stage: DeciderStage = createDeciderStage({
    ...options,
    more: {
      ...aroundIt(meet, options.file ?? {}),
      presence: () => {
        meet("presence");
        return stage.terminals.presence();
      },
    },
  });
  return stage;
}

const finals = (lines: readonly Decision[]) =>
  lines.filter(({ outcome }) => outcome !== "withdrawn" && outcome !== "deferred");
const isEnd = ({ alert, reason }: Decision): boolean => alert !== "pause" && reason !== "stuck";
const words = ({ alert, outcome, reason, requestID }: Decision) =>
  [alert, outcome, reason, ...(requestID === undefined ? [] : [requestID])].join(" ");

/** Throws at that call, counted over all of them, and never again. */
function oneBugAt(call: number) {
  const at = { calls: 0, where: undefined as string | undefined };
  const meet: Throw = (where) => {
    at.calls += 1;
    if (at.calls !== call) return;
    at.where = where;
    throw new Error("a bug of ours");
  };
  return { at, meet };
}

const rich = {
  notifications: { mode: "both" },
  alerts: {
    reminder: { afterSeconds: 60, times: 2 },
    push: [{ type: "webhook", url: "https://push.example/x", afterSeconds: 30 }],
    focus: { unseenSeconds: 20 },
  },
};

describe("a bug of ours anywhere in a random life", () => {
  const lives = fc.tuple(story, hostDelayMs, fc.integer({ min: 1, max: 120 }));

  test("throws nothing at anybody, and each ask and each busy period still has its one final line", async () => {
    await fc.assert(
      fc.asyncProperty(lives, async ([steps, delayMs, call]) => {
        const { meet } = oneBugAt(call);
        const stage = begin(delayMs, {}, (options) => stageWith(meet, options));
        const { asked, ended } = await play(stage, steps);
        await stage.runOut();
        for (const { requestID } of asked) {
          const lines = finals(stage.decided.filter((line) => line.requestID === requestID));
          expect(lines.map(words)).toHaveLength(1);
        }
        for (const sessionID of sessions) {
          const lines = stage.decided.filter((line) => line.sessionID === sessionID && isEnd(line));
          const periods = ended.get(sessionID) ?? 0;
          const putOff = lines.filter(({ outcome }) => outcome === "deferred").length;
          expect(finals(lines).length + putOff).toBeGreaterThanOrEqual(periods);
        }
        expect(stage.clock.waiting()).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  test("with reminders, messages and somebody who looks: no ask is without a line, and the next one is told", async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.constantFrom("R1", "A", "nothing"), async ([steps, delayMs, call], looksAt) => {
        const { meet } = oneBugAt(call);
        const stage = begin(delayMs, { file: rich }, (options) => stageWith(meet, options));
        stage.terminals.shows("t1", looksAt);
        const { asked } = await play(stage, steps);
        stage.terminals.leaves("t1");
        stage.presenceChanged();
        await stage.runOut();
        for (const { sessionID, requestID } of asked) {
          const lines = stage.decided.filter((line) => line.requestID === requestID);
          const isOpen = stage.decider.session(sessionID)?.requests.some((ask) => ask.requestID === requestID);
          // One that was answered by whoever looked at it is put off for ever.
          expect((isOpen ? finals(lines) : lines).length).toBeGreaterThan(0);
        }

        stage.decided.splice(0);
        stage.root("next");
        stage.tell("next", permission("last"));
        await stage.wait(350);
        await stage.wait();
        // The one bug may only be met now.
        expect(stage.decided.map(words).filter((line) => line.endsWith(" last"))[0]).toMatch(
          /^pause (delivered unattended|failed internal) last$/,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("a bug of ours while an ask is decided", () => {
  const places = ["config", "wording", "mutedUntil", "hasDesktop", "presence", "banner.send"] as const;

  test.each(places)("in %s: one line says so, and the next ask is told", async (broken) => {
    let isBroken = false;
    const file = { notifications: { mode: "banner" }, alerts: { terminal: "never" } };
    const needsDesktop = broken === "hasDesktop" ? {} : file;
    const stage = stageWith(
      (where) => {
        if (isBroken && where === broken) throw new Error("a bug of ours");
      },
      { file: needsDesktop },
    );
    stage.root("S");
    isBroken = true;
    stage.tell("S", permission("first"));
    await stage.wait(350);
    await stage.wait(5_000);
    expect(stage.decided.map(words)).toEqual(["pause failed internal first"]);

    isBroken = false;
    stage.decided.splice(0);
    stage.tell("S", permission("second"));
    await stage.wait(350);
    await stage.wait();
    expect(stage.decided.map(words)).toEqual(["pause delivered unattended second"]);
  });

  test.each(places)("in %s: the end of a round is told as failed, once, and the next end is told", async (broken) => {
    let isBroken = false;
    const file = { alerts: { done: { mode: "banner" }, terminal: broken === "hasDesktop" ? "auto" : "never" } };
    const stage = stageWith(
      (where) => {
        if (isBroken && where === broken) throw new Error("a bug of ours");
      },
      { file },
    );
    stage.root("S");
    stage.tell("S", ...working);
    isBroken = true;
    stage.tell("S", { kind: "ended" });
    await stage.wait(400);
    await stage.wait(5_000);
    expect(stage.decided.map(words)).toEqual(["done failed internal"]);

    isBroken = false;
    stage.decided.splice(0);
    stage.tell("S", ...working, { kind: "ended" });
    await stage.wait(400);
    await stage.wait(5_000);
    expect(stage.decided.map(words)).toContain("done delivered unattended");
  });

  test("where the banner's channel throws and the voice speaks, it was delivered", async () => {
    const stage = stageWith(
      (where) => {
        if (where === "banner.send") throw new Error("a bug of ours");
      },
      { file: { alerts: { pause: { mode: "both" }, terminal: "never" } } },
    );
    stage.root("S");
    stage.tell("S", permission("p"));
    await stage.wait(350);
    await stage.wait();
    expect(stage.decided).toMatchObject([{ outcome: "delivered", channels: ["voice"] }]);
  });

  test("its stack is logged once, however often it is met", async () => {
    const lines: string[] = [];
    const stage = createDeciderStage({
      more: {
        log: (line) => void lines.push(line),
        mutedUntil() {
          throw new Error("no clock tower");
        },
      },
    });
    stage.root("S");
    for (let ask = 0; ask < 12; ask += 1) {
      stage.tell("S", permission(`p${ask}`));
      await stage.wait(350);
      await stage.wait();
    }
    expect(stage.decided).toHaveLength(12);
    expect(lines.filter((line) => line.includes("bugs.law.test.ts"))).toHaveLength(1);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/the same bug, 10 times by now: Error: no clock tower/);
  });

  test("in a message that leaves the machine: a line of its own; the banner has its", async () => {
    const push = [{ type: "webhook", url: "https://push.example/x", afterSeconds: 10 }];
    const stage = stageWith(
      (where) => {
        if (where === "push.send") throw new Error("a bug of ours");
      },
      { file: { alerts: { push } } },
    );
    stage.root("S");
    stage.tell("S", permission("p"));
    await stage.wait(350);
    await stage.wait(10_000);
    await stage.wait();
    expect(stage.decided.map(words)).toEqual(["pause delivered unattended p", "pause failed internal p"]);
  });

  test("in taking a banner back: it stays up, and the next ask is told", async () => {
    const stage = stageWith((where) => {
      if (where === "banner.withdraw") throw new Error("a bug of ours");
    });
    stage.root("S");
    stage.tell("S", permission("p"));
    await stage.wait(350);
    stage.tell("S", { kind: "answered", requestID: "p", how: "replied" });
    await stage.wait();
    stage.tell("S", permission("q"));
    await stage.wait(350);
    await stage.wait();
    const told = stage.decided.filter(({ outcome }) => outcome !== "withdrawn"); // the message was taken back
    expect(told.map(words)).toEqual(["pause delivered unattended p", "pause delivered unattended q"]);
  });
});
