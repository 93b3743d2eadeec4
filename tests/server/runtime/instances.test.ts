import { describe, expect, test } from "vitest";
import type { HostEvent } from "../../../src/server/core/event.ts";
import type { HostQueries } from "../../../src/server/runtime/host.ts";
import {
  type Beginning,
  type Instance,
  type Left,
  type Queries,
  type Registration,
  type Runtime,
  register,
} from "../../../src/server/runtime/instances.ts";
import { createDeciderStage, type DeciderStage } from "../../fakes/decider-stage.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { permission, working } from "../../fakes/session-stage.ts";

type Register = typeof register;

/** One process: its instances, the runtimes they started, and what became of each. */
function createProcess() {
  const home = {};
  const clock = createHandCrankedClock();
  const log: string[] = [];
  const stages: DeciderStage[] = [];

  function instance(id: string, queries: HostQueries = host(id)): Instance {
    return {
      id,
      directory: `/${id}`,
      queries,
      start({ left, queries: group }) {
        log.push(`${id} starts${left === undefined ? "" : " with state"}`);
        const up = stages.at(-1)?.up ?? new Set<string>();
        const state = left === undefined ? {} : { state: left.state };
        const stage = createDeciderStage({ ...state, up, more: { host: group.host } });
        stages.push(stage);
        return runtime(id, stage, group);
      },
    };
  }

  function runtime(id: string, stage: DeciderStage, group: Queries): Runtime {
    const { decider } = stage;
    return {
      receive: decider.receive,
      dispatch: () => {},
      settle: (sessionIDs) => decider.settle((sessionID) => sessionIDs.includes(sessionID)),
      async flush() {
        log.push(`${id} flushes`);
      },
      stop({ last }): Left {
        log.push(`${id} stops${last ? " as the last" : ""}`);
        return { state: decider.stop(), up: { channels: {}, away: { pushed: [], waysBack: [] } } };
      },
      conclude: () => log.push(`${id} concludes`),
      changedByModel: () => {},
      state: stage.state,
      problem: (what) => log.push(String(what)),
      notify: async () => ({ kind: "tried", attempts: [] }),
      overhear: () => {},
      status: async () => ({ ...status, configPath: group.directories().join(" ") }),
      reports: noReports,
    };
  }

  return {
    clock,
    log,
    stages,
    instance,
    register: (id: string, through: Register = register): Registration => through(instance(id), home, clock),
    registerAs: (each: Instance): Registration => register(each, home, clock),
    stage: (at: number): DeciderStage => {
      const stage = stages.at(at);
      if (stage === undefined) throw new Error("nobody has started");
      return stage;
    },
  };
}

const yes = async () => ({ ok: true });
const noReports: Runtime["reports"] = {
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
async function loadedAgain(): Promise<Register> {
  copies += 1;
  const path = `../../../src/server/runtime/instances.ts?copy=${copies}`;
  const copy: { register: Register } = await import(/* @vite-ignore */ path);
  return copy.register;
}

test("the first instance decides, the others stand by", () => {
  const { register, log } = createProcess();
  const [first, second] = [register("a"), register("b")];
  expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
  expect(second.runtime()).toBe(first.runtime());
  expect(log).toEqual(["a starts"]);
});

test("what every instance hears counts once", async () => {
  const { register, stage } = createProcess();
  const instances = [register("a"), register("b"), register("c")];
  const told: HostEvent[] = [root("S"), events("S", ...working), events("S", permission("p1")), events("S", ended)];
  for (const [index, event] of told.entries())
    for (const each of instances) each.receive({ ...event, id: `evt_${index}` });
  await stage(0).wait(400);
  expect(stage(0).news()).toEqual(["S pause silent auto-answered p1", "S done delivered unattended"]);
});

test("an instance that only stands by is heard too", async () => {
  const { register, stage } = createProcess();
  register("a");
  const second = register("b");
  for (const event of [root("S"), events("S", ...working, ended)]) second.receive(event);
  await stage(0).wait(400);
  expect(stage(0).news()).toEqual(["S done delivered unattended"]);
});

describe("leaving", () => {
  test("of the one that leads changes nothing while another of the same code is there", async () => {
    const { register, stage, log } = createProcess();
    const [first, second] = [register("a"), register("b")];
    first.receive(root("S"));
    first.receive(events("S", ...working, permission("p1")));
    await stage(0).wait(350);
    first.receive(root("R"));
    first.receive(events("R", ...working, ended));
    await first.leave({ settle: false });
    expect(log).toEqual(["a starts", "a flushes"]);
    expect(second.isLeader()).toBe(true);

    second.receive(events("S", { kind: "answered", requestID: "p1", how: "replied" }));
    await stage(0).wait(400);
    expect(stage(0).news().toSorted()).toEqual([
      "R done delivered unattended",
      "S pause delivered unattended p1",
      "S pause withdrawn answered p1",
    ]);
  });

  test("of one that stood by changes nothing", async () => {
    const { register, log } = createProcess();
    const [first, second] = [register("a"), register("b")];
    await second.leave({ settle: true });
    expect(first.isLeader()).toBe(true);
    expect(log).toEqual(["a starts", "a flushes"]);
  });

  test("twice is once, and whoever left says nothing more", async () => {
    const { register, log, stage } = createProcess();
    const [first] = [register("a"), register("b")];
    await first.leave({ settle: false });
    await first.leave({ settle: true });
    first.receive(root("S"));
    expect(log).toEqual(["a starts", "a flushes"]);
    expect(stage(-1).state.sessions.size).toBe(0);
  });

  test("the last one stops everything; nothing is decided afterwards", async () => {
    const { register, log } = createProcess();
    const only = register("a");
    await only.leave({ settle: false });
    expect(only.runtime()).toBeUndefined();
    expect(only.isLeader()).toBe(false);
    expect(log).toEqual(["a starts", "a stops as the last", "a flushes"]);
  });

  test("settles what was heard through it, and only that", async () => {
    const { register, stage } = createProcess();
    const [first, second] = [register("a"), register("b")];
    for (const [each, sessionID] of [
      [first, "S"],
      [second, "R"],
    ] as const) {
      each.receive(root(sessionID));
      each.receive(events(sessionID, ...working, ended));
    }
    await second.leave({ settle: true });
    expect(stage(0).news()).toEqual(["R done silent shutdown"]);
    await stage(0).wait(400);
    expect(stage(0).news()).toEqual(["S done delivered unattended"]);
  });

  test("a session heard through one that left belongs to whoever hears it next", async () => {
    const { register, stage } = createProcess();
    const first = register("a");
    first.receive(root("S"));
    const second = register("b");
    await first.leave({ settle: true });
    second.receive(events("S", ...working, ended));
    await second.leave({ settle: true });
    expect(stage(0).news()).toEqual(["S done silent shutdown"]);
  });

  test("lines are written before it is done", async () => {
    const { register, log } = createProcess();
    await register("a").leave({ settle: true });
    expect(log.at(-1)).toBe("a flushes");
  });
});

describe("a hot reload", () => {
  test("a newer copy takes over with the state of the older", async () => {
    const { register, stage, log } = createProcess();
    const old = register("a");
    old.receive(root("S"));
    old.receive(events("S", ...working, ended));
    const fresh = register("b", await loadedAgain());
    expect([old.isLeader(), fresh.isLeader()]).toEqual([false, true]);
    expect(log).toEqual(["a starts", "a stops", "b starts with state"]);
    await stage(1).wait(400);
    expect(stage(1).news()).toEqual(["S done delivered unattended"]);
    await old.leave({ settle: false });
    expect(fresh.isLeader()).toBe(true);
  });

  test("an older copy that is left goes on where the newer was", async () => {
    const { register, stage, log } = createProcess();
    const old = register("a");
    const fresh = register("b", await loadedAgain());
    fresh.receive(root("S"));
    fresh.receive(events("S", ...working, ended));
    await fresh.leave({ settle: false });
    expect(old.isLeader()).toBe(true);
    expect(log).toEqual(["a starts", "a stops", "b starts with state", "b stops", "a starts with state", "b flushes"]);
    await stage(2).wait(400);
    expect(stage(2).news()).toEqual(["S done delivered unattended"]);
  });

  test("of the only instance within five seconds loses nothing", async () => {
    const { register, stage, clock, log } = createProcess();
    const old = register("a");
    old.receive(root("S"));
    old.receive(events("S", ...working, ended));
    await old.leave({ settle: false });
    clock.advance(4_999);
    register("b", await loadedAgain());
    expect(log.at(-1)).toBe("b starts with state");
    await stage(1).wait(400);
    expect(stage(1).news()).toEqual(["S done delivered unattended"]);
    clock.advance(60_000);
    expect(log).not.toContain("a concludes");
  });

  test("keeps a button that is pressed meanwhile for the one that comes", async () => {
    const { registerAs, instance } = createProcess();
    const pressed: string[] = [];
    let comesBack: Beginning["results"] = () => {};
    const a = instance("a");
    const first = registerAs({
      ...a,
      start(beginning) {
        comesBack = beginning.results;
        return a.start(beginning);
      },
    });
    await first.leave({ settle: false });
    comesBack({ kind: "note", event: { type: "action", key: "session.S", sessionID: "S", action: "once:p1" } });
    const b = instance("b");
    registerAs({
      ...b,
      start: (beginning) => ({ ...b.start(beginning), dispatch: ({ kind }) => void pressed.push(kind) }),
    });
    expect(pressed).toEqual(["note"]);
  });

  test("after five seconds begins from nothing; what waited was decided", async () => {
    const { register, stage, clock, log } = createProcess();
    const old = register("a");
    old.receive(root("S"));
    await old.leave({ settle: false });
    clock.advance(5_000);
    expect(log.at(-1)).toBe("a concludes");
    register("b");
    expect(log.at(-1)).toBe("b starts");
    expect(stage(1).state.sessions.size).toBe(0);
  });

  test("five times in a row leaves one decider and one alert", async () => {
    const { register, stage, stages } = createProcess();
    let current = register("a0");
    for (let time = 1; time <= 5; time += 1) {
      await current.leave({ settle: false });
      current = register(`a${time}`, await loadedAgain());
    }
    for (const event of [root("S"), events("S", ...working, ended)]) current.receive(event);
    for (const each of stages) await each.wait(400);
    expect(stages).toHaveLength(6);
    expect(stages.flatMap((each) => each.news())).toEqual(["S done delivered unattended"]);
    expect(stage(-1).clock.waiting()).toBe(0);
  });
});

describe("questions to the host", () => {
  const titleOf = (stage: DeciderStage, sessionID: string) => stage.decider.session(sessionID)?.title;

  test("go to the instance a session was heard through", async () => {
    const { register, stage } = createProcess();
    register("a");
    const second = register("b");
    second.receive(events("S", ...working, ended));
    await stage(0).wait(400);
    expect(titleOf(stage(0), "S")).toBe("told by b");
  });

  test("go to somebody else when that one has left", async () => {
    const { register, stage } = createProcess();
    register("a");
    const second = register("b");
    second.receive(events("S", ...working));
    await second.leave({ settle: false });
    await stage(0).wait();
    stage(0).tell("T", ...working, ended);
    await stage(0).wait(400);
    expect(titleOf(stage(0), "T")).toBe("told by a");
  });

  test("an answer goes to the session's own host, and fails where there is no way", async () => {
    const { registerAs, instance, stages } = createProcess();
    const answered: string[] = [];
    const able: HostQueries = { ...host("a"), answer: async (...told) => void answered.push(told.join(" ")) };
    let asked: Queries | undefined;
    const first = instance("a", able);
    registerAs({
      ...first,
      start(beginning) {
        asked = beginning.queries;
        return first.start(beginning);
      },
    });
    await asked?.host.answer?.("S", "p1", "once");
    expect(answered).toEqual(["S p1 once"]);
    expect(asked?.directories()).toEqual(["/a"]);

    const unable = registerAs(instance("b"));
    unable.receive(root("R"));
    await expect(asked?.host.answer?.("R", "p1", "once")).rejects.toThrow("no way to answer");
    expect(stages).toHaveLength(1);
  });
});

describe("an instance of another copy of this code that meets its own bugs", () => {
  const bug = (): never => {
    throw new Error("a bug of ours");
  };

  /** Its runtime works; what is named here throws. */
  const withBugs = (instance: Instance, ...where: (keyof Runtime)[]): Instance => ({
    ...instance,
    start: (beginning) => ({
      ...instance.start(beginning),
      ...Object.fromEntries(where.map((name) => [name, bug])),
    }),
  });

  test("does not keep a newer one from taking over", async () => {
    const { registerAs, register, instance, stage, log } = createProcess();
    const first = registerAs(withBugs(instance("a"), "stop", "settle", "flush"));
    const second = register("b", await loadedAgain());
    await expect(first.leave({ settle: true })).resolves.toBeUndefined();
    expect(second.isLeader()).toBe(true);
    expect(log).toContain("b starts");
    for (const event of [root("S"), events("S", permission("p1"))]) second.receive(event);
    await stage(1).wait(350);
    expect(stage(1).news()).toEqual(["S pause delivered unattended p1"]);
  });

  test("does not throw at the host that tells it of an event", () => {
    const { registerAs, instance } = createProcess();
    const only = registerAs(withBugs(instance("a"), "receive"));
    expect(() => only.receive(root("S"))).not.toThrow();
  });

  test("leaves nothing behind when it cannot hand its state over, and the next one begins anew", async () => {
    const { registerAs, instance, log } = createProcess();
    const only = registerAs(withBugs(instance("a"), "stop"));
    await expect(only.leave({ settle: false })).resolves.toBeUndefined();
    const next = registerAs(instance("b"));
    expect(next.runtime()).toBeDefined();
    expect(log.at(-1)).toBe("b starts");
  });

  test("that cannot even decide what it kept ends nothing but itself", async () => {
    const { registerAs, instance, clock } = createProcess();
    await registerAs(withBugs(instance("a"), "conclude")).leave({ settle: false });
    expect(() => clock.advance(5_000)).not.toThrow();
  });

  test("that left a state nobody can begin with: the next one begins without it", async () => {
    const { registerAs, instance, log } = createProcess();
    await registerAs(instance("a")).leave({ settle: false });
    const b = instance("b");
    const next = registerAs({
      ...b,
      start: (beginning) => (beginning.left === undefined ? b.start(beginning) : bug()),
    });
    expect(next.runtime()).toBeDefined();
    expect(log.at(-1)).toBe("b starts");
  });

  test("that cannot start at all leaves a process in which nothing of ours runs, and nothing throws", () => {
    const { registerAs, instance } = createProcess();
    const only = registerAs({ ...instance("a"), start: bug });
    expect(only.runtime()).toBeUndefined();
    expect(() => only.receive(root("S"))).not.toThrow();
  });
});
