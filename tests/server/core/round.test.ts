import { expect, test } from "vitest";
import { newRound, nextRound, type Round, type RoundEvent, workedUntil } from "../../../src/server/core/round.ts";
import { roundWith } from "../../fakes/round.ts";

const after = (round: Round, ...events: RoundEvent[]): Round => events.reduce(nextRound, round);
const fresh = () => newRound(0, undefined, false);

test("a round begins with nothing done, and remembers who started it", () => {
  expect(newRound(5, "typed", true)).toMatchObject({
    startedAt: 5,
    trigger: "typed",
    old: true,
    ownWork: false,
    dispatched: false,
    stepped: false,
    told: false,
  });
  expect("trigger" in fresh()).toBe(false);
});

test("a repeated busy resets nothing but a recorded error", () => {
  const worked = after(fresh(), { kind: "toolSucceeded", tool: "bash" }, { kind: "failed", name: "APIError" });
  const again = after(worked, { kind: "busyAgain" });
  expect(again).toMatchObject({ startedAt: 0, ownWork: true });
  expect(again.error).toBeUndefined();
});

test("a retry takes the error back and keeps the work done before it", () => {
  const retrying = after(
    fresh(),
    { kind: "toolSucceeded", tool: "bash" },
    { kind: "failed", name: "APIError" },
    { kind: "retrying", attempt: 1, at: 70 },
  );
  expect(retrying).toMatchObject({ ownWork: true, retry: { since: 70, attempt: 1, told: false } });
  expect(retrying.error).toBeUndefined();
});

test("one episode of retries counts from its first, and is told once", () => {
  const first = after(fresh(), { kind: "retrying", attempt: 1, at: 10 });
  const told: Round = { ...first, retry: { since: 10, attempt: 1, told: true } };
  expect(after(told, { kind: "retrying", attempt: 4, at: 900 }).retry).toEqual({ since: 10, attempt: 4, told: true });
});

test("an answer or a tool ends the episode; the next retry begins another", () => {
  const retrying = after(fresh(), { kind: "retrying", attempt: 3, at: 10 });
  expect(after(retrying, { kind: "stepEnded" }).retry).toBeUndefined();
  expect(after(retrying, { kind: "toolSucceeded", tool: "bash" }).retry).toBeUndefined();
  expect(after(retrying, { kind: "stepEnded" }, { kind: "retrying", attempt: 1, at: 500 }).retry?.since).toBe(500);
});

test("a step that merely begins does not end a retry: a stop then is a stop in the wait", () => {
  expect(after(fresh(), { kind: "retrying", attempt: 1, at: 10 }, { kind: "stepStarted" }).retry?.attempt).toBe(1);
});

test("a person who joins makes the round theirs; what the host adds changes nothing", () => {
  const synthetic = newRound(0, "synthetic", false);
  expect(after(synthetic, { kind: "prompted", trigger: "typed" }).trigger).toBe("typed");
  const typed = newRound(0, "typed", false);
  expect(after(typed, { kind: "prompted", trigger: "synthetic" }).trigger).toBe("typed");
  expect(after(fresh(), { kind: "prompted", trigger: "synthetic" }).trigger).toBe("synthetic");
});

test.each([
  ["bash", { ownWork: true, dispatched: false }],
  ["task", { ownWork: false, dispatched: true }],
  ["todowrite", { ownWork: false, dispatched: false }],
])("a finished %s is remembered for what it is", (tool, expected) => {
  expect(after(fresh(), { kind: "toolSucceeded", tool })).toMatchObject(expected);
});

test("a dismissal counts only while nothing follows it", () => {
  const dismissed = after(fresh(), { kind: "refused" });
  expect(dismissed.dismissed).toBe(true);
  expect(after(dismissed, { kind: "stepStarted" }).dismissed).toBe(false);
  expect(after(dismissed, { kind: "toolSucceeded", tool: "read" }).dismissed).toBe(false);
  expect(after(dismissed, { kind: "busyAgain" }).dismissed).toBe(true);
});

test("the time a person lets it wait does not count as work", () => {
  const waited = after(fresh(), { kind: "waits", at: 1_000 }, { kind: "waitsNoMore", at: 4_000 });
  expect(workedUntil(waited, 10_000)).toBe(7_000);
});

test("two waits at once are one wait, and an end in mid-wait counts up to it", () => {
  const waiting = after(fresh(), { kind: "waits", at: 1_000 }, { kind: "waits", at: 2_000 });
  expect(workedUntil(waiting, 9_000)).toBe(1_000);
});

test("waiting no more without having waited changes nothing", () => {
  expect(after(fresh(), { kind: "waitsNoMore", at: 5 })).toEqual(fresh());
});

test("work is never less than nothing", () => {
  expect(workedUntil(roundWith({ startedAt: 50, waitedMs: 5 }), 10)).toBe(0);
});

test("what a child did and what the host saw is remembered", () => {
  expect(after(fresh(), { kind: "childWorked" }, { kind: "viewed" })).toMatchObject({ childWork: true, seen: true });
});
