import { describe, expect, test } from "vitest";
import { createSessionStage, permission, tool, working } from "../../fakes/session-stage.ts";

const ended = { kind: "ended" } as const;
const started = { kind: "started" } as const;

describe("an event", () => {
  test("heard twice under one id counts once", async () => {
    const { registry, root, tell, wait, news } = createSessionStage();
    root("S");
    tell("S", ...working);
    const end = { sessionID: "S", id: "evt_1", events: [ended] };
    registry.receive(end);
    tell("S", ...working);
    registry.receive(end);
    await wait(1_000);
    expect(news().filter((line) => line === "S done")).toHaveLength(0);
  });

  test("without an id counts every time it is heard", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    tell("S", ...working, ended);
    await wait(400);
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done", "S done"]);
  });

  test("is remembered among thousands, not for ever", () => {
    const { registry } = createSessionStage();
    const event = (number: number) => ({ sessionID: "S", id: `evt_${number}`, events: [permission(`p${number}`)] });
    for (let number = 0; number < 5_000; number += 1) registry.receive(event(number));
    expect(registry.records.get("S")?.requests).toHaveLength(5_000);
    registry.receive(event(4_999));
    expect(registry.records.get("S")?.requests).toHaveLength(5_000);
  });
});

test("a wall clock that is set back makes nothing that happens older than the plugin", async () => {
  const { clock, root, registry, wait, news } = createSessionStage();
  root("S");
  clock.setWall(-3_600_000);
  await wait(1_000);
  registry.receive({ sessionID: "S", created: clock.wall(), events: [...working, ended] });
  await wait(400);
  expect(news()).toEqual(["S done"]);
});

describe("who asked for the round", () => {
  test("a prompt told before the run counts for it, and for no later one", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    tell("S", ...working, ended);
    await wait(400);
    tell("S", started, { kind: "stepStarted" }, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done", "S done silent shape-unknown"]);
  });

  test("a prompt told in mid-run makes the run the person's", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    const typed = { kind: "prompted", trigger: "typed" } as const;
    tell("S", { kind: "prompted", trigger: "synthetic" }, started, typed, { kind: "stepStarted" }, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("on 1.18 the texts of a message tell, and a person's text weighs more than the host's beside it", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    const text = (trigger: "typed" | "synthetic") => ({ kind: "userText", messageID: "m1", trigger }) as const;
    tell("S", { kind: "userMessage", messageID: "m1" }, text("typed"), text("synthetic"));
    tell("S", started, { kind: "stepStarted" }, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done"]);
  });

  test("texts of an answer, or of an older message, tell nothing", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    tell("S", { kind: "prompted", trigger: "synthetic", promptID: "m2" }, { kind: "userMessage", messageID: "m2" });
    tell("S", { kind: "userText", messageID: "m1", trigger: "typed" });
    tell("S", started, { kind: "stepStarted" }, tool("bash"), ended);
    await wait(400);
    expect(news()).toEqual(["S done silent synthetic"]);
  });

  test("the same prompt told twice, by hook and by event, is one", async () => {
    const { root, tell, wait, news } = createSessionStage();
    root("S");
    const prompt = { kind: "prompted", trigger: "typed", promptID: "m1" } as const;
    tell("S", prompt, started, { kind: "stepStarted" }, permission("p1"));
    tell("S", prompt);
    await wait(350);
    expect(news()).toEqual(["S asks p1"]);
  });
});

describe("the tree", () => {
  test("a title and a parent told later replace what was known", () => {
    const { root, child, registry } = createSessionStage();
    root("A");
    root("B");
    child("C", "A");
    child("C", "B");
    expect(registry.records.rootOf("C")).toBe("B");
    registry.receive({ sessionID: "C", events: [{ kind: "described", title: "renamed" }] });
    expect(registry.records.get("C")).toMatchObject({ title: "renamed", parentID: "B" });
  });

  test("a subagent call places its child, but never moves one that is placed", () => {
    const { root, child, tell, registry } = createSessionStage();
    root("A");
    root("B");
    child("C", "A");
    tell("B", { kind: "childLinked", childID: "C", launched: false });
    tell("B", { kind: "childLinked", childID: "D", launched: false });
    expect(registry.records.rootOf("C")).toBe("A");
    expect(registry.records.rootOf("D")).toBe("B");
  });

  test("no session is placed below itself, whatever session a tool names", () => {
    const { tell, registry } = createSessionStage();
    const named = (childID: string) => ({ kind: "childLinked", childID, launched: false }) as const;
    tell("S", named("S"), named("C"));
    tell("C", named("S"));
    expect(registry.records.rootOf("C")).toBe("S");
    expect(registry.records.get("S")?.parentID).toBeUndefined();
  });
});

test("what somebody has seen is said to have been seen", async () => {
  const { root, tell, wait, news } = createSessionStage();
  root("S");
  tell("S", ...working, ended, { kind: "viewed" });
  await wait(400);
  expect(news()).toEqual(["S done suppressed attended"]);
});

test("a look at the end before says nothing about the round that goes on", async () => {
  const { root, tell, wait, news } = createSessionStage();
  root("S");
  tell("S", ...working, { kind: "viewed" }, ended);
  await wait(400);
  expect(news()).toEqual(["S done"]);
});

test("tools that end outside a round are nobody's work", async () => {
  const { root, tell, wait, news } = createSessionStage();
  root("S");
  tell("S", tool("bash"), { kind: "prompted", trigger: "typed" }, started, { kind: "stepStarted" }, ended);
  await wait(400);
  expect(news()).toEqual(["S done silent no-real-work"]);
});

test("ten thousand deleted sessions leave nothing behind", async () => {
  const { clock, registry, root, tell, wait } = createSessionStage();
  for (let number = 0; number < 10_000; number += 1) {
    const sessionID = `ses_${number}`;
    root(sessionID);
    tell(sessionID, ...working, permission("p1"), { kind: "deleted" });
  }
  await wait(1_000);
  expect(registry.records.size()).toBe(0);
  expect(clock.waiting()).toBe(0);
});
