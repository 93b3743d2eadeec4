import { expect, test } from "vitest";
import { createLookUps, lookUpMs } from "../../../src/server/session/look-ups.ts";
import { createRecords } from "../../../src/server/session/records.ts";
import { createGuard } from "../../../src/shared/guard.ts";
import { silentLog } from "../../../src/shared/log.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { createFakeHost } from "../../fakes/host.ts";
import { settled } from "../../fakes/settled.ts";

function rig() {
  const clock = createHandCrankedClock();
  const host = createFakeHost(clock);
  const records = createRecords();
  const gone = new Set<string>();
  const isGone = (id: string) => gone.has(id);
  const lookUps = createLookUps({ clock, host: host.queries, records, isGone, guard: createGuard(silentLog) });
  const done: string[] = [];
  return { clock, host, records, lookUps, done, gone, record: (id: string) => records.ensure(id, 0) };
}

test("a session's parent and title are asked for once, however often they are wanted", async () => {
  const { host, lookUps, record } = rig();
  host.sessions.set("child", { parentID: "root", title: "Search", directory: "/project" });
  host.sessions.set("root", { parentID: null, title: "Fix login" });
  lookUps.place(record("child"));
  lookUps.place(record("child"));
  await settled();
  lookUps.place(record("child"));
  expect(record("child")).toMatchObject({ parentID: "root", title: "Search", directory: "/project" });
  expect(record("root")).toMatchObject({ parentID: null, title: "Fix login" });
  expect(host.asked).toEqual(["session child", "session root"]);
});

test("what an event told meanwhile is not overwritten by an older answer", async () => {
  const { clock, host, records, lookUps, record } = rig();
  host.delay(100);
  host.sessions.set("a", { parentID: "b", title: "old", directory: "/old" });
  lookUps.place(record("a"));
  records.place(record("a"), null);
  record("a").title = "new";
  clock.advance(200);
  await settled();
  expect(record("a")).toMatchObject({ parentID: null, title: "new" });
});

test("a session that was deleted meanwhile is not brought back", async () => {
  const { host, records, lookUps, record } = rig();
  host.sessions.set("a", { parentID: "b" });
  lookUps.place(record("a"));
  records.remove("a");
  await settled();
  expect(records.size()).toBe(0);
});

test("a parent that was deleted is not brought back either", async () => {
  const { host, records, lookUps, gone, record } = rig();
  host.sessions.set("child", { parentID: "root" });
  gone.add("root");
  lookUps.place(record("child"));
  await settled();
  expect(record("child").parentID).toBe("root");
  expect(records.size()).toBe(1);
});

test("a session the host did not know is not placed, and asked for again next time", async () => {
  const { host, lookUps, record } = rig();
  lookUps.place(record("a"));
  await settled();
  expect(record("a").parentID).toBeUndefined();
  host.sessions.set("a", { parentID: null });
  lookUps.place(record("a"));
  await settled();
  expect(record("a").parentID).toBeNull();
  expect(host.asked).toHaveLength(2);
});

test("of a session that is placed, the family above it is asked for", async () => {
  const { host, records, lookUps, record } = rig();
  host.sessions.set("middle", { parentID: "root", title: "middle" });
  host.sessions.set("root", { parentID: null, title: "Fix login" });
  records.place(record("child"), "middle");
  lookUps.place(record("child"));
  await settled();
  expect(records.rootOf("child")).toBe("root");
  expect(record("root").title).toBe("Fix login");
  expect(host.asked).toEqual(["session middle", "session root"]);
});

test("what waits for a session that is known runs at once", () => {
  const { records, lookUps, record, done } = rig();
  records.place(record("a"), null);
  lookUps.whenPlaced(record("a"), () => done.push("a"));
  expect(done).toEqual(["a"]);
});

test("what waits for a session runs when its whole family is known", async () => {
  const { host, lookUps, record, done } = rig();
  host.sessions.set("child", { parentID: "middle" });
  host.sessions.set("middle", { parentID: "root" });
  host.sessions.set("root", { parentID: null, title: "Fix login" });
  lookUps.whenPlaced(record("child"), () => done.push(record("root").title ?? "untitled"));
  expect(done).toEqual([]);
  await settled();
  expect(done).toEqual(["Fix login"]);
});

test.each(["rejects", "hangs"] as const)("a host that %s delays nothing for longer than a moment", async (answer) => {
  const { clock, host, lookUps, record, done } = rig();
  host.sessions.set("a", answer);
  lookUps.whenPlaced(record("a"), () => done.push("a"));
  clock.advance(lookUpMs);
  await settled();
  expect(done).toEqual(["a"]);
  expect(record("a").parentID).toBeUndefined();
  expect(clock.waiting()).toBe(0);
});

test("a host that throws at once counts like one that rejects, and is asked again next time", async () => {
  const clock = createHandCrankedClock();
  const records = createRecords();
  let asked = 0;
  const session = (): never => {
    asked += 1;
    throw new Error("not ready");
  };
  const host = { session, messages: session };
  const lookUps = createLookUps({ clock, host, records, isGone: () => false, guard: createGuard(silentLog) });
  const done: string[] = [];
  const record = records.ensure("a", 0);
  lookUps.whenPlaced(record, () => done.push("first"));
  await settled();
  lookUps.whenPlaced(record, () => done.push("second"));
  await settled();
  expect(done).toEqual(["first", "second"]);
  expect(asked).toBe(2);
});

test("parents in a ring end", async () => {
  const { host, lookUps, record, done } = rig();
  host.sessions.set("a", { parentID: "b" });
  host.sessions.set("b", { parentID: "a" });
  lookUps.whenPlaced(record("a"), () => done.push("a"));
  await settled();
  expect(done).toEqual(["a"]);
});
