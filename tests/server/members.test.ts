import { describe, expect, test } from "vitest";
import type { EngineState } from "../../src/server/engine.ts";
import { join, type Member, type Membership, type Queries, type Running } from "../../src/server/members.ts";
import type { HostEvent } from "../../src/server/session/event.ts";
import type { HostQueries } from "../../src/server/session/registry.ts";
import { createEngineStage, type EngineStage } from "../fakes/engine-stage.ts";
import { permission, working } from "../fakes/session-stage.ts";

type Join = typeof join;

/** One process: its members, the engines they started, and what became of each. */
function createProcess() {
  const home = {};
  const log: string[] = [];
  const stages: EngineStage[] = [];
  let forget = () => {};

  function member(id: string, queries: HostQueries = host(id)): Member {
    return {
      id,
      directory: `/${id}`,
      queries,
      start(state, household) {
        log.push(`${id} starts${state === undefined ? "" : " with state"}`);
        const up = stages.at(-1)?.up ?? new Set<string>();
        const stage = createEngineStage({
          ...(state === undefined ? {} : { state }),
          up,
          more: { host: household.host },
        });
        stages.push(stage);
        return running(id, stage, household);
      },
    };
  }

  function running(id: string, stage: EngineStage, household: Queries): Running {
    const { engine } = stage;
    return {
      receive: engine.receive,
      settle: engine.settle,
      async flush() {
        log.push(`${id} flushes`);
      },
      stop(): EngineState {
        log.push(`${id} stops`);
        return engine.stop();
      },
      keep(_, ms, forgotten) {
        forget = forgotten;
        log.push(`${id} keeps for ${ms} ms`);
        return () => log.push("taken");
      },
      records: engine.records,
      problem: (what) => log.push(String(what)),
      notify: async () => ({ kind: "tried", attempts: [] }),
      changedByModel: () => {},
      overhear: () => {},
      status: async () => ({ ...status, configPath: household.directories().join(" ") }),
      reports: noReports,
    };
  }

  return {
    log,
    stages,
    member,
    forget: () => forget(),
    join: (id: string, through: Join = join): Membership => through(member(id), home),
    joinAs: (each: Member): Membership => join(each, home),
    stage: (at: number): EngineStage => {
      const stage = stages.at(at);
      if (stage === undefined) throw new Error("nobody has started");
      return stage;
    },
  };
}

const yes = async () => ({ ok: true });
const noReports: Running["reports"] = {
  handlers: { report: yes, gone: yes, raised: yes, ask: yes },
  connect: () => () => {},
  send: () => {},
  raise: async () => false,
};
const status = { version: "0", line: "v1" as const, pid: 1, sessions: 0, terminals: [], decisions: [] };
const host = (id: string): HostQueries => ({
  session: async () => ({ title: `told by ${id}`, parentID: null }),
  messages: async () => [],
});

const events = (sessionID: string, ...told: HostEvent["events"]): HostEvent => ({ sessionID, events: told });
const root = (sessionID: string) => events(sessionID, { kind: "described", title: sessionID, parentID: null });
const ended = { kind: "ended" } as const;

let copies = 0;

/** The same module loaded once more, as a host does on a hot reload. */
async function loadedAgain(): Promise<Join> {
  copies += 1;
  const path = `../../src/server/members.ts?copy=${copies}`;
  const copy: { join: Join } = await import(/* @vite-ignore */ path);
  return copy.join;
}

test("the first member decides, the others stand by", () => {
  const { join, log } = createProcess();
  const [first, second] = [join("a"), join("b")];
  expect([first.isOwner(), second.isOwner()]).toEqual([true, false]);
  expect(second.running()).toBe(first.running());
  expect(log).toEqual(["a starts"]);
});

test("what every member hears counts once", async () => {
  const { join, stage } = createProcess();
  const members = [join("a"), join("b"), join("c")];
  const told: HostEvent[] = [root("S"), events("S", ...working), events("S", permission("p1")), events("S", ended)];
  for (const [index, event] of told.entries())
    for (const member of members) member.receive({ ...event, id: `evt_${index}` });
  await stage(0).wait(400);
  expect(stage(0).news()).toEqual(["S pause silent auto-answered p1", "S done delivered unattended"]);
});

test("a member that only stands by is heard too", async () => {
  const { join, stage } = createProcess();
  join("a");
  const second = join("b");
  for (const event of [root("S"), events("S", ...working, ended)]) second.receive(event);
  await stage(0).wait(400);
  expect(stage(0).news()).toEqual(["S done delivered unattended"]);
});

describe("leaving", () => {
  test("the next takes over at once, and what waited goes on", async () => {
    const { join, stage, log } = createProcess();
    const [first, second] = [join("a"), join("b")];
    first.receive(root("S"));
    first.receive(events("S", ...working, permission("p1")));
    await stage(0).wait(350);
    first.receive(root("R"));
    first.receive(events("R", ...working, ended));
    await first.leave({ settle: false });
    expect(log).toEqual(["a starts", "a stops", "b starts with state", "a flushes"]);
    expect(second.isOwner()).toBe(true);

    second.receive(events("S", { kind: "answered", requestID: "p1", how: "replied" }));
    await stage(1).wait(400);
    expect(stage(1).news().toSorted()).toEqual(["R done delivered unattended", "S pause withdrawn answered p1"]);
    expect(stage(0).clock.waiting()).toBe(0);
  });

  test("of one that stood by changes nothing", async () => {
    const { join, log } = createProcess();
    const [first, second] = [join("a"), join("b")];
    await second.leave({ settle: true });
    expect(first.isOwner()).toBe(true);
    expect(log).toEqual(["a starts", "a flushes"]);
  });

  test("twice is once, and whoever left says nothing more", async () => {
    const { join, log, stage } = createProcess();
    const [first] = [join("a"), join("b")];
    await first.leave({ settle: false });
    await first.leave({ settle: true });
    first.receive(root("S"));
    expect(log.filter((line) => line === "a stops")).toHaveLength(1);
    expect(stage(-1).engine.records.size()).toBe(0);
  });

  test("the last one stops everything; nothing is decided afterwards", async () => {
    const { join, log } = createProcess();
    const only = join("a");
    await only.leave({ settle: false });
    expect(only.running()).toBeUndefined();
    expect(only.isOwner()).toBe(false);
    expect(log).toEqual(["a starts", "a stops", "a keeps for 5000 ms", "a flushes"]);
  });

  test("settles what was heard through it, and only that", async () => {
    const { join, stage } = createProcess();
    const [first, second] = [join("a"), join("b")];
    for (const [member, sessionID] of [
      [first, "S"],
      [second, "R"],
    ] as const) {
      member.receive(root(sessionID));
      member.receive(events(sessionID, ...working, ended));
    }
    await second.leave({ settle: true });
    expect(stage(0).news()).toEqual(["R done silent shutdown"]);
    await stage(0).wait(400);
    expect(stage(0).news()).toEqual(["S done delivered unattended"]);
  });

  test("a session heard through one that left belongs to whoever hears it next", async () => {
    const { join, stage } = createProcess();
    const first = join("a");
    first.receive(root("S"));
    const second = join("b");
    await first.leave({ settle: true });
    second.receive(events("S", ...working, ended));
    await second.leave({ settle: true });
    expect(stage(1).news()).toEqual(["S done silent shutdown"]);
  });

  test("lines are written before it is done", async () => {
    const { join, log } = createProcess();
    await join("a").leave({ settle: true });
    expect(log.at(-1)).toBe("a flushes");
  });
});

describe("a hot reload", () => {
  test("a newer copy takes over with the state of the older", async () => {
    const { join, stage, log } = createProcess();
    const old = join("a");
    old.receive(root("S"));
    old.receive(events("S", ...working, ended));
    const fresh = join("b", await loadedAgain());
    expect([old.isOwner(), fresh.isOwner()]).toEqual([false, true]);
    expect(log).toEqual(["a starts", "a stops", "b starts with state"]);
    await stage(1).wait(400);
    expect(stage(1).news()).toEqual(["S done delivered unattended"]);
    await old.leave({ settle: false });
    expect(fresh.isOwner()).toBe(true);
  });

  test("of the only instance within five seconds loses nothing", async () => {
    const { join, stage, log } = createProcess();
    const old = join("a");
    old.receive(root("S"));
    old.receive(events("S", ...working, ended));
    await old.leave({ settle: false });
    expect(log).toContain("a keeps for 5000 ms");
    join("b", await loadedAgain());
    expect(log).toContain("taken");
    await stage(1).wait(400);
    expect(stage(1).news()).toEqual(["S done delivered unattended"]);
  });

  test("after five seconds begins from nothing", async () => {
    const { join, stage, forget, log } = createProcess();
    const old = join("a");
    old.receive(root("S"));
    await old.leave({ settle: false });
    forget();
    join("b");
    expect(log.at(-1)).toBe("b starts");
    expect(stage(1).engine.records.size()).toBe(0);
  });

  test("five times in a row leaves one decider and one alert", async () => {
    const { join, stage, stages } = createProcess();
    let current = join("a0");
    for (let time = 1; time <= 5; time += 1) {
      await current.leave({ settle: false });
      current = join(`a${time}`, await loadedAgain());
    }
    for (const event of [root("S"), events("S", ...working, ended)]) current.receive(event);
    for (const each of stages) await each.wait(400);
    expect(stages).toHaveLength(6);
    expect(stages.flatMap((each) => each.news())).toEqual(["S done delivered unattended"]);
    expect(stage(-1).clock.waiting()).toBe(0);
  });
});

describe("questions to the host", () => {
  const titleOf = (stage: EngineStage, sessionID: string) => stage.engine.records.get(sessionID)?.title;

  test("go to the member a session was heard through", async () => {
    const { join, stage } = createProcess();
    join("a");
    const second = join("b");
    second.receive(events("S", ...working, ended));
    await stage(0).wait(400);
    expect(titleOf(stage(0), "S")).toBe("told by b");
  });

  test("go to somebody else when that one has left", async () => {
    const { join, stage } = createProcess();
    join("a");
    const second = join("b");
    second.receive(events("S", ...working));
    await second.leave({ settle: false });
    await stage(0).wait();
    stage(0).tell("T", ...working, ended);
    await stage(0).wait(400);
    expect(titleOf(stage(0), "T")).toBe("told by a");
  });

  test("an answer goes to the session's own host, and fails where there is no way", async () => {
    const { joinAs, member, stages } = createProcess();
    const answered: string[] = [];
    const able: HostQueries = { ...host("a"), answer: async (...told) => void answered.push(told.join(" ")) };
    let asked: Queries | undefined;
    const first = member("a", able);
    joinAs({
      ...first,
      start(state, household) {
        asked = household;
        return first.start(state, household);
      },
    });
    await asked?.host.answer?.("S", "p1", "once");
    expect(answered).toEqual(["S p1 once"]);
    expect(asked?.directories()).toEqual(["/a"]);

    const unable = joinAs(member("b"));
    unable.receive(root("R"));
    await expect(asked?.host.answer?.("R", "p1", "once")).rejects.toThrow("no way to answer");
    expect(stages).toHaveLength(1);
  });
});

describe("an instance of another copy of this code that meets its own bugs", () => {
  const bug = (): never => {
    throw new Error("a bug of ours");
  };

  /** Its engine works; what is named here throws. */
  const withBugs = (member: Member, ...where: (keyof Running)[]): Member => ({
    ...member,
    start: (state, household) => ({
      ...member.start(state, household),
      ...Object.fromEntries(where.map((name) => [name, bug])),
    }),
  });

  test("does not keep the next one from taking over", async () => {
    const { joinAs, member, stage, log } = createProcess();
    const first = joinAs(withBugs(member("a"), "stop", "settle", "flush"));
    const second = joinAs(member("b"));
    await expect(first.leave({ settle: true })).resolves.toBeUndefined();
    expect(second.isOwner()).toBe(true);
    expect(log).toContain("b starts");
    for (const event of [root("S"), events("S", permission("p1"))]) second.receive(event);
    await stage(1).wait(350);
    expect(stage(1).news()).toEqual(["S pause delivered unattended p1"]);
  });

  test("does not throw at the host that tells it of an event", () => {
    const { joinAs, member } = createProcess();
    const only = joinAs(withBugs(member("a"), "receive"));
    expect(() => only.receive(root("S"))).not.toThrow();
  });

  test("leaves nothing behind when it cannot keep its state, and the next one begins anew", async () => {
    const { joinAs, member, log } = createProcess();
    const only = joinAs(withBugs(member("a"), "keep"));
    await expect(only.leave({ settle: false })).resolves.toBeUndefined();
    const next = joinAs(member("b"));
    expect(next.running()).toBeDefined();
    expect(log.at(-1)).toBe("b starts");
  });

  test("that left a state nobody can begin with: the next one begins without it", async () => {
    const { joinAs, member, log } = createProcess();
    await joinAs(member("a")).leave({ settle: false });
    const b = member("b");
    const next = joinAs({
      ...b,
      start: (state, household) => (state === undefined ? b.start(state, household) : bug()),
    });
    expect(next.running()).toBeDefined();
    expect(log.at(-1)).toBe("b starts");
  });

  test("that cannot start at all leaves a process in which nothing of ours runs, and nothing throws", () => {
    const { joinAs, member } = createProcess();
    const only = joinAs({ ...member("a"), start: bug });
    expect(only.running()).toBeUndefined();
    expect(() => only.receive(root("S"))).not.toThrow();
  });
});
