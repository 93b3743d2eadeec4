import { describe, expect, test } from "vitest";
import { catchUp } from "../../../../src/server/hosts/v2/catch-up.ts";
import type { V2Context } from "../../../../src/server/hosts/v2/host.ts";
import { createSessionStage, permission, working } from "../../../fakes/session-stage.ts";
import { settled } from "../../../fakes/settled.ts";

type Host = { idle?: number; outcome?: string; pending?: () => unknown; session?: () => Promise<unknown> };

/** One session that works; the stream is lost, and the host answers what the test says. */
function afterOutage(host: Host) {
  const stage = createSessionStage();
  stage.root("S");
  stage.tell("S", ...working);
  const context: V2Context = {
    event: { subscribe: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) },
    session: {
      get: host.session ?? (async () => ({ time: { idle: host.idle }, outcome: host.outcome })),
    },
    ...(host.pending === undefined ? {} : { permission: { list: async () => host.pending?.() } }),
  };
  return {
    ...stage,
    async comesBack(): Promise<void> {
      const { clock, registry } = stage;
      const at = { wall: clock.wall(), now: clock.now() };
      await catchUp({ context, sessions: stage.state.sessions.values(), receive: registry.receive, ...at });
    },
  };
}
const began = Date.UTC(2026, 0, 5, 10);

describe("a round whose end was missed", () => {
  test("a moment ago is told", async () => {
    const { comesBack, wait, news } = afterOutage({ idle: began + 25_000, outcome: "succeeded" });
    await wait(30_000);
    await comesBack();
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("long ago is over, and nobody is called", async () => {
    const { comesBack, wait, news, registry } = afterOutage({ idle: began + 1_000, outcome: "succeeded" });
    await wait(120_000);
    await comesBack();
    await wait(400);
    expect(news()).toEqual([]);
    expect(registry.records.get("S")?.turn.phase).toBe("resting");
  });

  test("by the person's stop is a stop", async () => {
    const { comesBack, wait, news } = afterOutage({ idle: began + 25_000, outcome: "interrupted" });
    await wait(30_000);
    await comesBack();
    await wait(400);
    expect(news()).toEqual(["S error silent aborted"]);
  });

  test("in an earlier run is not this one's", async () => {
    const { comesBack, wait, news, registry } = afterOutage({ idle: began - 1, outcome: "succeeded" });
    await wait(30_000);
    await comesBack();
    expect(news()).toEqual([]);
    expect(registry.records.get("S")?.turn.phase).toBe("running");
  });

  test("is not the end before a subagent's result woke the session", async () => {
    const { child, comesBack, tell, wait, news } = afterOutage({ idle: began + 10_000, outcome: "succeeded" });
    child("C", "S");
    tell("C", { kind: "started" });
    await wait(10_000);
    tell("S", { kind: "ended" });
    await wait(1_000);
    tell("C", { kind: "ended" });
    tell("S", { kind: "prompted", trigger: "synthetic" }, { kind: "started" }, { kind: "stepStarted" });
    news();
    await comesBack();
    await wait(10_000);
    expect(news()).toEqual([]);
    tell("S", { kind: "ended" });
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });
});

describe("permissions", () => {
  test("answered meanwhile are closed", async () => {
    const { comesBack, tell, wait, news } = afterOutage({ pending: () => [] });
    tell("S", permission("p1"));
    await wait(350);
    await comesBack();
    expect(news()).toEqual(["S asks p1", "S closed p1"]);
  });

  test("asked meanwhile are told once", async () => {
    const { comesBack, tell, wait, news } = afterOutage({
      pending: () => [{ id: "p1", action: "shell" }, { id: "p2" }, 7],
    });
    tell("S", permission("p1"));
    await wait(350);
    await comesBack();
    await wait(350);
    expect(news()).toEqual(["S asks p1", "S asks p2"]);
  });

  test("that come while the host is asked are not taken for answered", async () => {
    let answer = (_: unknown) => {};
    const pending = new Promise((resolve) => {
      answer = resolve;
    });
    const { comesBack, tell, wait, news } = afterOutage({ pending: () => pending });
    const done = comesBack();
    await settled();
    tell("S", permission("p1"));
    answer([]);
    await done;
    await wait(350);
    expect(news()).toEqual(["S asks p1"]);
  });

  test("nobody can list stay as they are", async () => {
    const { comesBack, tell, wait, news } = afterOutage({});
    tell("S", permission("p1"));
    await wait(350);
    await comesBack();
    expect(news()).toEqual(["S asks p1"]);
  });

  test("a question is not closed because it is no permission", async () => {
    const { comesBack, tell, wait, news } = afterOutage({ pending: () => [] });
    tell("S", permission("q1", { about: "question" }));
    await wait(350);
    await comesBack();
    expect(news()).toEqual(["S asks q1"]);
  });
});

test("a host that answers nothing changes nothing, and nothing is thrown", async () => {
  const { comesBack, tell, wait, news, registry } = afterOutage({
    session: () => Promise.reject(new Error("gone")),
    pending: () => Promise.reject(new Error("gone")),
  });
  tell("S", permission("p1"));
  await wait(350);
  await comesBack();
  expect(news()).toEqual(["S asks p1"]);
  expect(registry.records.get("S")?.turn.phase).toBe("running");
});
