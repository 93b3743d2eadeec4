import { describe, expect, test } from "vitest";
import type { CallReport } from "../../src/shared/plugin-call.ts";
import { createCallReporter } from "../../src/tui/call-reporter.ts";
import type { Answer, PluginCalls } from "../../src/tui/plugin-calls.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

const report = (seq: number, focus: "focused" | "blurred" = "focused"): CallReport => ({
  viewer: "v",
  name: "n",
  seq,
  report: { focus, view: { type: "home" }, idleMs: 0 },
});
const settle = () => new Promise(setImmediate);

function setUp(answers: (Answer | undefined)[], isWelcomeAt = (_relayID: string) => false) {
  const clock = createHandCrankedClock();
  const called: number[] = [];
  const left: string[] = [];
  const calls: PluginCalls = {
    report: async ({ seq }) => {
      called.push(seq);
      return answers.length > 1 ? answers.shift() : answers[0];
    },
    gone: async (viewer) => void left.push(viewer),
    raised: async () => {},
    ask: async () => undefined,
    onWish: () => () => {},
  };
  return { clock, called, left, reporter: createCallReporter({ clock, calls, isWelcomeAt }) };
}

describe("reporting through opencode itself", () => {
  test("goes on for as long as that server is not reached by socket, and says goodbye", async () => {
    const { reporter, called, left } = setUp([{ ok: true, relay: "r" }]);
    for (const seq of [1, 2, 3]) {
      reporter.tell(report(seq));
      await settle();
    }
    reporter.stop();
    expect(called).toEqual([1, 2, 3]);
    expect(left).toEqual(["v"]);
  });

  test("stops when that very server has welcomed us by socket, whatever other relays did", async () => {
    const welcome = new Set(["another"]);
    const { reporter, called } = setUp([{ ok: true, relay: "r" }], (relayID) => welcome.has(relayID));
    reporter.tell(report(1));
    await settle();
    reporter.tell(report(2));
    await settle();
    welcome.add("r");
    reporter.tell(report(3));
    await settle();
    welcome.delete("r");
    reporter.tell(report(4));
    await settle();
    expect(called).toEqual([1, 2, 4]);
  });

  test("never has two calls under way: what came meanwhile follows as one", async () => {
    const { reporter, called } = setUp([{ ok: true }]);
    for (const seq of [1, 2, 3, 4]) reporter.tell(report(seq));
    await settle();
    expect(called).toEqual([1, 4]);
  });

  test("tells at once that the focus went, also to a server part that seemed not to answer: it may have heard", async () => {
    const { reporter, called, clock } = setUp([undefined]);
    reporter.tell(report(1));
    await settle();
    reporter.tell(report(2, "blurred"));
    await settle();
    reporter.tell(report(3, "blurred"));
    reporter.tell(report(4));
    await settle();
    expect(called).toEqual([1, 2]);
    clock.advance(30_000);
    reporter.tell(report(5));
    await settle();
    expect(called).toEqual([1, 2, 5]);
  });

  test("says goodbye after what is still on its way, so that nothing comes behind it", async () => {
    const did: string[] = [];
    let answer = (_answer: Answer | undefined) => {};
    const calls: PluginCalls = {
      report: () => {
        did.push("report");
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      gone: async () => void did.push("gone"),
      raised: async () => {},
      ask: async () => undefined,
      onWish: () => () => {},
    };
    const reporter = createCallReporter({ clock: createHandCrankedClock(), calls, isWelcomeAt: () => false });
    reporter.tell(report(1));
    reporter.tell(report(2));
    reporter.stop();
    await settle();
    expect(did).toEqual(["report"]);
    answer({ ok: true });
    await settle();
    expect(did).toEqual(["report", "gone"]);
  });

  test("rests for half a minute where no server part answers", async () => {
    const { reporter, called, clock, left } = setUp([undefined]);
    reporter.tell(report(1));
    await settle();
    clock.advance(29_999);
    reporter.tell(report(2));
    await settle();
    clock.advance(1);
    reporter.tell(report(3));
    await settle();
    reporter.stop();
    expect(called).toEqual([1, 3]);
    expect(left).toEqual(["v"]); // it may have heard
  });
});
