import { describe, expect, test } from "vitest";
import type { Round } from "../../../src/server/core/round.ts";
import {
  type Surroundings,
  type Verdict,
  type VerdictRules,
  verdictFromFacts,
  verdictFromShape,
} from "../../../src/server/core/verdict.ts";
import { roundWith } from "../../fakes/round.ts";

const rules: VerdictRules = { work: "tools", delegated: "silent", minSeconds: 0 };
const around: Surroundings = {
  shape: { trigger: "typed" },
  placement: "root",
  childrenRun: false,
  moreQueued: false,
  askWaits: false,
  pluginStarted: 0,
};

/** undefined takes a fact away. */
type Facts = { [K in keyof Round]?: Round[K] | undefined };
type Case = { round: Facts; around: Partial<Surroundings>; rules: Partial<VerdictRules> };

function verdictOf({ round, around: other, rules: set }: Case): Verdict {
  const given = { ...around, ...other };
  const facts: Round = Object.assign(roundWith(), round);
  return verdictFromFacts(facts, given.placement) ?? verdictFromShape(facts, given, { ...rules, ...set });
}

/** Product.md decision 2, first to last. Each row is one reason; a round may have several. */
const order: [string, Partial<Case>, Verdict][] = [
  ["a subagent", { around: { placement: "child" } }, { silent: "child" }],
  ["an error", { round: { error: "APIError" } }, { alert: "error", name: "APIError" }],
  ["a stop in a retry wait", { round: { retry: { since: 0, attempt: 1, told: false } } }, { silent: "aborted" }],
  ["a dismissal", { round: { dismissed: true } }, { silent: "dismissed" }],
  ["an open ask", { round: { askWaits: true } }, { silent: "pending-ask" }],
  ["no step of the model", { round: { stepped: false } }, { silent: "empty" }],
  ["older than the plugin", { round: { old: true } }, { silent: "shape-unknown" }],
  ["a session nobody can place", { around: { placement: "unknown" } }, { silent: "shape-unknown" }],
  [
    "an error in its last message",
    { around: { shape: { trigger: "synthetic", error: "ProviderError" } } },
    { alert: "error", name: "ProviderError" },
  ],
  ["nobody's prompt", { round: { trigger: "synthetic" } }, { silent: "synthetic" }],
  ["no work", { round: { ownWork: false } }, { silent: "no-real-work" }],
  ["a prompt not read yet", { around: { moreQueued: true } }, { deferred: "more-queued" }],
  ["subagents that still run", { around: { childrenRun: true } }, { deferred: "children-running" }],
  ["an ask that came after the end", { around: { askWaits: true } }, { silent: "pending-ask" }],
  ["too short", { rules: { minSeconds: 60 } }, { silent: "too-short" }],
];

const merged = (parts: Partial<Case>[]): Case => ({
  round: Object.assign({}, ...parts.map(({ round }) => round)),
  around: Object.assign({}, ...parts.map(({ around: other }) => other)),
  rules: Object.assign({}, ...parts.map(({ rules: set }) => set)),
});

describe("the order of reasons", () => {
  const placed = (at: number) => order.slice(at).map(([, facts]) => facts);

  test.each(order.map(([name, , verdict], at) => [name, at, verdict] as const))(
    "%s decides over everything after it",
    (_, at, verdict) => {
      // Reversed: where two rows set the same fact, the earlier one is meant.
      expect(verdictOf(merged(placed(at).toReversed()))).toEqual(verdict);
    },
  );

  test.each(order)("%s is reason enough alone", (_, facts, verdict) => {
    expect(verdictOf(merged([facts]))).toEqual(verdict);
  });

  test("real work that somebody asked for is done", () => {
    expect(verdictOf(merged([]))).toEqual({ alert: "done", workedMs: 10_000 });
  });
});

describe("errors", () => {
  test.each([
    ["MessageAbortedError", "aborted"],
    ["SessionShutdownError", "shutdown"],
    ["SessionSupersededError", "superseded"],
  ])("%s is silent", (error, silent) => {
    expect(verdictOf(merged([{ round: { error } }]))).toEqual({ silent });
  });

  test.each(["ConnectionAbortedError", "StreamInterruptedError", "SessionInactivityError", "unknown"])(
    "%s is told",
    (error) => {
      expect(verdictOf(merged([{ round: { error } }]))).toEqual({ alert: "error", name: error });
    },
  );

  test("a stop that follows from a dismissal is the dismissal, another error is itself", () => {
    expect(verdictOf(merged([{ round: { dismissed: true, error: "MessageAbortedError" } }]))).toEqual({
      silent: "dismissed",
    });
    expect(verdictOf(merged([{ round: { dismissed: true, error: "APIError" } }]))).toEqual({
      alert: "error",
      name: "APIError",
    });
  });

  test("an error in the last message of a round nobody typed is told all the same", () => {
    const shape = { trigger: "synthetic", error: "APIError" } as const;
    expect(verdictOf(merged([{ around: { shape }, round: { trigger: "synthetic" } }]))).toMatchObject({
      alert: "error",
    });
  });

  test("a stop seen only in the last message is silent", () => {
    const shape = { trigger: "typed", error: "MessageAbortedError" } as const;
    expect(verdictOf(merged([{ around: { shape } }]))).toEqual({ silent: "aborted" });
  });
});

describe("who started it", () => {
  const seenLive = (trigger: "typed" | "synthetic" | undefined): Facts => ({
    trigger,
  });
  const read = (trigger: "typed" | "synthetic" | undefined): Partial<Surroundings> => ({
    shape: trigger === undefined ? undefined : { trigger },
  });

  test.each([
    ["typed", "synthetic", "done"],
    ["synthetic", "typed", "synthetic"],
    ["typed", undefined, "done"],
    ["synthetic", undefined, "synthetic"],
    [undefined, "typed", "done"],
    [undefined, "synthetic", "synthetic"],
    [undefined, undefined, "shape-unknown"],
  ] as const)("seen live %s, in the messages %s: %s", (live, listed, expected) => {
    const verdict = verdictOf(merged([{ round: seenLive(live), around: read(listed) }]));
    expect(Object.values(verdict)[0]).toBe(expected);
  });

  test("a prompt older than the plugin belongs to a process that is gone", () => {
    const shape = { trigger: "typed", created: 900 } as const;
    const facts = { around: { shape, pluginStarted: 1_000 } };
    expect(verdictOf(merged([facts, { round: { trigger: undefined } }]))).toEqual({ silent: "shape-unknown" });
    expect(verdictOf(merged([facts, { round: { trigger: "typed" } }]))).toMatchObject({ alert: "done" });
  });
});

describe("work", () => {
  const none = { ownWork: false };

  test("a pure answer is told only to those who want to hear of any", () => {
    expect(verdictOf(merged([{ round: none, rules: { work: "any" } }]))).toMatchObject({ alert: "done" });
  });

  test.each([
    ["silent", true, false, { silent: "delegated" }],
    ["alert", false, false, { silent: "delegated" }],
    ["alert", true, false, { alert: "done", workedMs: 10_000 }],
    ["alert", false, true, { deferred: "children-running" }],
  ] as const)(
    "only dispatched, set to %s, child worked %s, still runs %s",
    (delegated, childWork, childrenRun, expected) => {
      const round = { ownWork: false, dispatched: true, childWork };
      expect(verdictOf(merged([{ round, around: { childrenRun }, rules: { delegated } }]))).toEqual(expected);
    },
  );

  test("the least length is measured in work, and meeting it exactly is enough", () => {
    const at = (workedSeconds: number) =>
      verdictOf(merged([{ round: { workedMs: workedSeconds * 1_000 }, rules: { minSeconds: 10 } }]));
    expect(at(9.999)).toEqual({ silent: "too-short" });
    expect(at(10)).toMatchObject({ alert: "done" });
  });
});
