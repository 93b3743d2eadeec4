import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import type { MessageView } from "../../../src/server/core/message-history.ts";
import { createSessionStage, permission, type Rules, tool, working } from "../../fakes/session-stage.ts";

const ended: SessionEvent = { kind: "ended" };
const legacyEnd: SessionEvent = { kind: "ended", legacy: true };
const started: SessionEvent = { kind: "started" };
const step: SessionEvent = { kind: "stepStarted" };
const typed: SessionEvent = { kind: "prompted", trigger: "typed" };
const synthetic: SessionEvent = { kind: "prompted", trigger: "synthetic" };
const failed = (name: string): SessionEvent => ({ kind: "failed", name });
const retrying = (attempt: number): SessionEvent => ({ kind: "retrying", attempt });
const queued = (promptID: string): SessionEvent => ({ kind: "prompted", trigger: "typed", promptID, queued: true });
const read = (promptID: string): SessionEvent => ({ kind: "promptRead", promptID });
const minutes = (count: number): number => count * 60_000;

function stage(rules: Rules = {}) {
  const made = createSessionStage({ rules });
  made.root("S");
  return made;
}

describe("an end", () => {
  test("is told when it stays quiet for its window, once", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(399);
    expect(news()).toEqual([]);
    await wait(1);
    expect(news()).toEqual(["S done"]);
    await wait(minutes(60));
    expect(news()).toEqual([]);
  });

  test("has a twin on 1.18, early or late, that is nothing", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended, ended);
    await wait(2_000);
    tell("S", ended);
    await wait(2_000);
    expect(news()).toEqual(["S done"]);
  });

  test.each([1_500, 60_000])("has a legacy twin, %d ms late in the next round, that is not its end", async (late) => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(1_000);
    tell("S", ...working);
    await wait(late);
    tell("S", legacyEnd);
    await wait(1_000);
    expect(news()).toEqual(["S done"]);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("told by legacy events alone is told, round by round", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, legacyEnd);
    await wait(400);
    tell("S", ...working, legacyEnd);
    await wait(400);
    expect(news()).toEqual(["S done", "S done"]);
  });

  test("of a session that was never busy is nothing", async () => {
    const { tell, wait, news } = stage();
    tell("S", typed, failed("APIError"), ended);
    await wait(2_000);
    expect(news()).toEqual([]);
  });

  test("that began before the plugin builds state and is never told", async () => {
    const { clock, registry, tell, wait, news } = stage();
    registry.receive({ sessionID: "S", created: clock.wall() - 1, events: [typed, started] });
    tell("S", step, tool("bash"), ended);
    await wait(2_000);
    expect(news()).toEqual(["S done silent shape-unknown"]);
  });

  test("that is old itself is not told either, and the next round is as usual", async () => {
    const { clock, registry, tell, wait, news } = stage();
    registry.receive({
      sessionID: "S",
      created: clock.wall() - 1,
      events: [typed, started, step, tool("bash"), ended],
    });
    await wait(2_000);
    expect(news()).toEqual([]);
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });
});

describe("an error", () => {
  test.each([
    ["before the end", [failed("APIError"), ended]],
    ["after it", [ended, failed("APIError")]],
    ["between its twins", [ended, failed("APIError"), ended]],
  ])("told %s is one error and no done", async (_, events) => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ...events);
    await wait(2_000);
    expect(news()).toEqual(["S error APIError"]);
  });

  test("the host recovers from is nothing: busy again, or a step", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, failed("APIError"), started, ended);
    await wait(400);
    tell("S", ...working, failed("APIError"), step, ended);
    await wait(400);
    expect(news()).toEqual(["S done", "S done"]);
  });

  test("asks the host for nothing", async () => {
    const { host, tell, wait } = stage();
    tell("S", ...working, failed("APIError"), ended);
    await wait(2_000);
    expect(host.asked).toEqual([]);
  });

  test("that only the message list knows is told", async () => {
    const { host, tell, wait, news } = stage();
    const list: MessageView[] = [
      { role: "user", texts: [{ synthetic: false }] },
      { role: "assistant", texts: [], error: "ProviderError" },
    ];
    host.messages.set("S", list);
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S error ProviderError"]);
  });

  test("of a session nobody can place is told all the same", async () => {
    const { tell, wait, news } = createSessionStage();
    tell("X", ...working, failed("APIError"), ended);
    await wait(400);
    expect(news()).toEqual(["X error APIError"]);
  });

  test("without a round is nothing, and does not taint the next one", async () => {
    const { tell, wait, news } = stage();
    tell("S", failed("APIError"), ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });
});

describe("the message list", () => {
  test.each(["rejects", "hangs"] as const)("that %s leaves the decision to what was seen live", async (answer) => {
    const { host, tell, wait, news } = stage();
    host.messages.set("S", answer);
    tell("S", ...working, ended);
    await wait(400);
    await wait(1_000);
    expect(news()).toEqual(["S done"]);
  });

  test("decides alone where nothing was seen live", async () => {
    const { clock, host, tell, wait, news } = stage();
    const prompt = { role: "user", texts: [{ synthetic: false }], created: clock.wall() } as const;
    host.messages.set("S", [prompt, { role: "assistant", texts: [] }]);
    tell("S", started, step, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("missing too: nobody knows, so nobody is called", async () => {
    const { tell, wait, news } = stage();
    tell("S", started, step, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done silent shape-unknown"]);
  });
});

describe("a session nobody knows", () => {
  test("is looked up, and told as the root it is", async () => {
    const { host, tell, wait, news } = createSessionStage();
    host.sessions.set("X", { parentID: null, title: "Fix login" });
    tell("X", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["X done"]);
  });

  test("that the host does not know either is never done", async () => {
    const { tell, wait, news } = createSessionStage();
    tell("X", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["X done silent shape-unknown"]);
  });

  test("that the host could not find once is done in its next round", async () => {
    const { host, tell, wait, news } = createSessionStage();
    tell("X", ...working, ended);
    await wait(400);
    host.sessions.set("X", { parentID: null });
    tell("X", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["X done silent shape-unknown", "X done"]);
  });

  test("that turns out to be a child is silent as one", async () => {
    const { host, tell, wait, news } = createSessionStage();
    host.sessions.set("X", { parentID: "S" });
    tell("X", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["X done silent child"]);
  });
});

describe("a session that goes on", () => {
  test("woken inside the window, it is one round with one end", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(150);
    tell("S", synthetic, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred more-queued", "S done"]);
  });

  test("woken after the window, it is a round nobody asked for", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(400);
    tell("S", synthetic, started, step, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done", "S done silent synthetic"]);
  });

  test("with a new prompt inside the window, it is another round and the old end is overtaken", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(150);
    tell("S", typed, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done silent superseded", "S done silent no-real-work"]);
  });

  test("with a new prompt right after an error needs no call about it", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, failed("APIError"), ended);
    await wait(150);
    tell("S", typed, started);
    expect(news()).toEqual(["S error silent superseded"]);
  });

  test("after a stop it begins anew, whatever woke it", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, failed("MessageAbortedError"), ended);
    await wait(150);
    tell("S", synthetic, started, step, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S error silent aborted", "S done silent synthetic"]);
  });

  test("after an error inside the window it has recovered", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, failed("APIError"), ended);
    await wait(150);
    tell("S", started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred more-queued", "S done"]);
  });

  test("with a prompt it has not read, its end waits for the next run", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, queued("m1"), ended);
    await wait(400);
    expect(news()).toEqual(["S done deferred more-queued"]);
    tell("S", started, read("m1"), step, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("with a prompt that never gets its run, its end is told after a while", async () => {
    const { tell, wait, news, registry } = stage();
    tell("S", ...working, queued("m1"), ended);
    await wait(400);
    await wait(30_000);
    await wait(400);
    expect(news()).toEqual(["S done deferred more-queued", "S done"]);
    expect(registry.records.get("S")?.unread?.size ?? 0).toBe(0);
  });

  test("with a prompt the person takes back, its end is told at once", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, queued("m1"), queued("m2"), ended);
    await wait(400);
    tell("S", read("m1"));
    await wait(5_000);
    expect(news()).toEqual(["S done deferred more-queued"]);
    tell("S", read("m2"));
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("with a prompt read inside the window, its end is told", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, queued("m1"), ended, read("m1"));
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });
});

describe("a deleted session", () => {
  test("whose end was settling was overtaken", async () => {
    const { clock, tell, wait, news } = stage();
    tell("S", ...working, ended, { kind: "deleted" });
    await wait(2_000);
    expect(news()).toEqual(["S done silent superseded"]);
    expect(clock.waiting()).toBe(0);
  });

  test("whose end was a stop was a stop", async () => {
    const { tell, news } = stage();
    tell("S", ...working, failed("MessageAbortedError"), ended, { kind: "deleted" });
    expect(news()).toEqual(["S error silent aborted"]);
  });

  test("calls nobody while the host is still asked about its end", async () => {
    const { host, tell, wait, news } = stage();
    host.messages.set("S", "hangs");
    tell("S", ...working, ended);
    await wait(400);
    tell("S", { kind: "deleted" });
    await wait(1_000);
    expect(news()).toEqual(["S done silent superseded"]);
  });

  test("calls nobody, be its end an error that was not told yet", async () => {
    const { tell, wait, news } = stage();
    tell("S", ...working, failed("APIError"), ended, { kind: "deleted" });
    await wait(2_000);
    expect(news()).toEqual(["S error silent superseded"]);
  });

  test("whose end was already put off has its line", async () => {
    const { child, tell, wait, news } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    await wait(400);
    tell("S", { kind: "deleted" });
    await wait(minutes(60));
    expect(news()).toEqual(["S done deferred children-running"]);
  });

  test("leaves nothing behind, whatever it waited for", async () => {
    const { clock, child, tell, wait, registry } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, permission("p1"), retrying(1), ended);
    await wait(400);
    tell("S", { kind: "deleted" });
    tell("A", { kind: "deleted" });
    await wait(400);
    expect(registry.records.size()).toBe(0);
    expect(clock.waiting()).toBe(0);
  });

  test("is not brought back by what is still on its way", async () => {
    const { tell, wait, news, registry } = stage();
    tell("S", ...working, { kind: "deleted" });
    tell("S", { kind: "described", title: "late" }, started, step, tool("bash"), ended);
    await wait(2_000);
    expect(news()).toEqual([]);
    expect(registry.records.size()).toBe(0);
  });
});

describe("a process that ends", () => {
  const all = () => true;

  test("decides at once what was settling", () => {
    const { tell, news, registry } = stage();
    tell("S", ...working, ended);
    registry.settle(all);
    expect(news()).toEqual(["S done"]);
  });

  test("asks the host for nothing, and is silent where only the host knows", () => {
    const { host, tell, news, registry } = stage();
    tell("S", started, step, tool("bash"), ended);
    registry.settle(all);
    expect(news()).toEqual(["S done silent shape-unknown"]);
    expect(host.asked).toEqual([]);
  });

  test("cannot wait for subagents any more", async () => {
    const { child, tell, wait, news, registry } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, ended);
    registry.settle(all);
    expect(news()).toEqual(["S done silent shutdown", "A done silent child"]);
    tell("A", started);
    tell("S", ...working, ended);
    await wait(400);
    news();
    registry.settle(all);
    expect(news()).toEqual(["S done silent shutdown", "A done silent child"]);
  });

  test("takes the rounds along that still run: what comes next is another one", async () => {
    const { tell, wait, news, registry } = stage();
    tell("S", ...working);
    await wait(600_000);
    registry.settle(all);
    expect(news()).toEqual(["S done silent shutdown"]);
    tell("S", typed, started, step, ended);
    await wait(400);
    expect(news()).toEqual(["S done silent no-real-work"]);
  });

  test("takes running subagents along, and retries", async () => {
    const { child, clock, tell, wait, news, registry } = stage();
    child("A", "S");
    tell("A", started);
    tell("S", ...working, retrying(1));
    registry.settle(all);
    expect(news()).toEqual(["S done silent shutdown", "A done silent child"]);
    expect(clock.waiting()).toBe(0);
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("tells nobody of an ask that nobody could answer, and takes back what was told", async () => {
    const { tell, wait, news, registry } = stage();
    tell("S", ...working, permission("p1"));
    await wait(350);
    tell("S", permission("p2"));
    registry.settle(all);
    expect(news()).toEqual(["S asks p1", "S pause silent shutdown p2", "S closed p1", "S done silent shutdown"]);
  });

  test("does not wait for what the host was asked", async () => {
    const { host, tell, wait, news, registry } = stage();
    host.messages.set("S", "hangs");
    tell("S", ...working, ended);
    await wait(400);
    registry.settle(all);
    expect(news()).toEqual(["S done"]);
    await wait(2_000);
    expect(news()).toEqual([]);
  });

  test("leaves other sessions alone", async () => {
    const { root, tell, wait, news, registry } = stage();
    root("R");
    tell("S", ...working, ended);
    tell("R", ...working, ended);
    registry.settle(({ id }) => id === "S");
    expect(news()).toEqual(["S done"]);
    await wait(400);
    expect(news()).toEqual(["R done"]);
  });

  test("leaves no timer behind", () => {
    const { clock, tell, registry } = stage();
    tell("S", ...working, permission("p1"), ended);
    registry.settle(all);
    expect(clock.waiting()).toBe(0);
  });
});

describe("taking over", () => {
  /** The sessions of one that stopped, in another, at the same moment of its own clock. */
  async function takenOver(
    before: ReturnType<typeof createSessionStage>,
    prepare: (after: ReturnType<typeof createSessionStage>) => void = () => {},
  ) {
    before.registry.stop();
    const after = createSessionStage({ state: before.registry.state });
    prepare(after);
    await after.wait(before.clock.now());
    after.registry.resume();
    return after;
  }

  test("an end the host was being asked about is told once, by the one that took over", async () => {
    const before = stage();
    before.host.messages.set("S", "hangs");
    before.tell("S", ...working, ended);
    await before.wait(400);
    const after = await takenOver(before);
    await before.wait(2_000);
    await after.wait(400);
    expect([before.news(), after.news()]).toEqual([[], ["S done"]]);
  });

  test("an end the host was being asked about that was overtaken stays overtaken", async () => {
    const before = stage();
    before.host.messages.set("S", "hangs");
    before.tell("S", ...working, ended);
    await before.wait(400);
    before.tell("S", ...working, ended);
    const after = await takenOver(before);
    await before.wait(2_000);
    await after.wait(400);
    expect([before.news(), after.news()]).toEqual([["S done silent superseded"], ["S done"]]);
  });

  test("what waited for a session's parent waits again", async () => {
    const before = createSessionStage();
    before.host.sessions.set("X", "hangs");
    before.tell("X", ...working, permission("p1"));
    await before.wait(350);
    const after = await takenOver(before, ({ host }) => {
      host.sessions.set("X", { parentID: "S" });
      host.sessions.set("S", { parentID: null });
    });
    await before.wait(2_000);
    await after.wait(350);
    expect([before.news(), after.news()]).toEqual([[], ["X asks p1"]]);
    expect([...after.registry.records.below("S")].map(({ id }) => id)).toEqual(["X"]);
  });

  test("what was settling, waiting, held or retrying goes on", async () => {
    const before = createSessionStage();
    for (const id of ["settling", "asking", "held", "retrying"]) before.root(id);
    before.child("A", "held");
    before.tell("A", started);
    before.tell("held", ...working, ended);
    await before.wait(400);
    before.tell("settling", ...working, ended);
    before.tell("asking", ...working, permission("p1"));
    before.tell("retrying", ...working, retrying(1));
    before.registry.stop();
    expect(before.clock.waiting()).toBe(0);

    const after = createSessionStage({ state: before.registry.state });
    after.registry.resume();
    await after.wait(400);
    after.tell("A", ended);
    await after.wait(minutes(2));
    expect(after.news().toSorted()).toEqual(
      ["A done silent child", "asking asks p1", "held done", "retrying stuck 1", "settling done"].toSorted(),
    );
  });
});
