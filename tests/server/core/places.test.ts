import { describe, expect, test } from "vitest";
import { createSessionStage, permission, working } from "../../fakes/session-stage.ts";

const ended = { kind: "ended" } as const;

/** A session of which nothing was told but that it asks. What is told of it waits until its place is known. */
function asks(sessionID = "a") {
  const stage = createSessionStage({ rules: { settleMs: { pause: 0 } } });
  const get = (id: string) => stage.state.sessions.get(id);
  return { ...stage, get, ask: (id = "p1") => stage.tell(sessionID, permission(id)) };
}

test("a session's parent and title are asked for once, however often they are wanted", async () => {
  const { host, ask, get, wait } = asks("child");
  host.sessions.set("child", { parentID: "root", title: "Search", directory: "/project" });
  host.sessions.set("root", { parentID: null, title: "Fix login" });
  ask("p1");
  ask("p2");
  await wait(0);
  ask("p3");
  expect(get("child")).toMatchObject({ parentID: "root", title: "Search", directory: "/project" });
  expect(get("root")).toMatchObject({ parentID: null, title: "Fix login" });
  expect(host.asked).toEqual(["session child", "session root"]);
});

test("what an event told meanwhile is not overwritten by an older answer", async () => {
  const { host, ask, tell, get, wait } = asks();
  host.delay(100);
  host.sessions.set("a", { parentID: "b", title: "old", directory: "/old" });
  ask();
  tell("a", { kind: "described", title: "new", parentID: null });
  await wait(200);
  expect(get("a")).toMatchObject({ parentID: null, title: "new", directory: "/old" });
});

test("a session that was deleted meanwhile is not brought back, nor is a parent that was", async () => {
  const { host, ask, tell, state, get, wait } = asks("child");
  host.delay(100);
  host.sessions.set("child", { parentID: "root" });
  tell("root", { kind: "deleted" });
  ask();
  await wait(100);
  expect(get("child")?.parentID).toBe("root");
  expect([...state.sessions.keys()]).toEqual(["child"]);
  tell("x", permission("p9"));
  tell("x", { kind: "deleted" });
  await wait(1_000);
  expect([...state.sessions.keys()]).toEqual(["child"]);
});

test("a session the host did not know is not placed, and asked for again next time", async () => {
  const { host, ask, get, wait } = asks();
  ask("p1");
  await wait(0);
  expect(get("a")?.parentID).toBeUndefined();
  host.sessions.set("a", { parentID: null });
  ask("p2");
  await wait(0);
  expect(get("a")?.parentID).toBeNull();
});

test("of a session that is placed, the family above it is asked for", async () => {
  const { host, child, ask, get, wait } = asks("child");
  host.sessions.set("middle", { parentID: "root", title: "middle" });
  host.sessions.set("root", { parentID: null, title: "Fix login" });
  child("child", "middle");
  ask();
  await wait(0);
  expect(get("root")?.title).toBe("Fix login");
  expect(host.asked).toEqual(["session middle", "session root"]);
});

describe("what waits for a session's place", () => {
  test("is told as soon as its whole family is known", async () => {
    const { host, ask, wait, news } = asks("child");
    host.delay(100);
    host.sessions.set("child", { parentID: "middle" });
    host.sessions.set("middle", { parentID: "root" });
    host.sessions.set("root", { parentID: null });
    ask();
    await wait(100);
    await wait(100);
    expect(news()).toEqual([]);
    await wait(100);
    expect(news()).toEqual(["child asks p1"]);
  });

  test.each(["rejects", "hangs"] as const)("is told a moment later by a host that %s", async (answer) => {
    const { host, ask, get, clock, wait, news } = asks();
    host.sessions.set("a", answer);
    ask();
    await wait(999);
    if (answer === "hangs") expect(news()).toEqual([]);
    await wait(1);
    expect(get("a")?.parentID).toBeUndefined();
    await wait(1_000);
    expect(clock.waiting()).toBe(0);
  });

  test("is told also where the session was put elsewhere while its old family was looked up", async () => {
    const { host, child, tell, ask, wait, news } = asks("child");
    host.delay(500);
    host.sessions.set("old", { parentID: null });
    child("child", "old");
    ask();
    await wait(0);
    tell("new", { kind: "described", parentID: null });
    tell("child", { kind: "described", parentID: "new" });
    await wait(500);
    expect(news()).toEqual(["child asks p1"]);
  });

  test("is not told before its own window is over, though one before it waited for the same answer", async () => {
    const { host, tell, wait, news } = createSessionStage();
    host.delay(600);
    host.sessions.set("a", { parentID: null });
    tell("a", permission("p1"));
    await wait(400);
    tell("a", { kind: "answered", requestID: "p1", how: "replied" }, permission("p2"));
    await wait(200);
    expect(news()).toEqual(["a pause silent auto-answered p1"]);
    await wait(150);
    expect(news()).toEqual(["a asks p2"]);
  });

  test("holds up no end for ever, with parents in a ring", async () => {
    const { host, tell, wait, news } = asks();
    host.sessions.set("a", { parentID: "b" });
    host.sessions.set("b", { parentID: "a" });
    tell("a", ...working, ended);
    await wait(2_000);
    expect(news()).toEqual(["a done silent child"]);
  });
});
