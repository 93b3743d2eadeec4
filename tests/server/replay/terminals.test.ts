import { describe, expect, test } from "vitest";
import { isLive } from "../../../src/server/focus/presence.ts";
import { createTerminals } from "../../../src/server/replay/terminals.ts";
import type { TraceLine } from "../../../src/server/replay/trace.ts";
import { createVirtualClock } from "../../../src/server/replay/virtual-clock.ts";

type Operation = Extract<TraceLine, { kind: "tui" }>;

function rig() {
  const clock = createVirtualClock(0);
  let changes = 0;
  const terminals = createTerminals(clock, () => {
    changes += 1;
  });
  const doing = (op: Operation["op"], more: Partial<Operation> = {}) =>
    terminals.apply({ t: 0, kind: "tui", tui: "T1", op, ...more });
  return {
    clock,
    terminals,
    doing,
    changes: () => changes,
    report: () => terminals.presence().get("T1")?.report,
    live: () => {
      const terminal = terminals.presence().get("T1");
      return terminal !== undefined && isLive(terminal, { now: clock.now(), wall: clock.wall() });
    },
  };
}
const onSession = { view: { type: "session", sessionID: "S" } } as const;

test("a terminal that attaches shows home, and nobody knows whether it has the focus", () => {
  const { doing, report } = rig();
  doing("attach");
  expect(report()).toEqual({ focus: "unknown", view: { type: "home" }, idleMs: 0 });
});

test("it tells at once what changes", () => {
  const { doing, report, changes } = rig();
  doing("attach");
  doing("view", onSession);
  doing("focus");
  expect(report()).toEqual({ focus: "focused", view: onSession.view, idleMs: 0 });
  doing("blur");
  expect(report()).toMatchObject({ focus: "blurred", view: onSession.view });
  expect(changes()).toBe(4);
});

describe("a key press", () => {
  test("proves focus where focus has ever been reported", () => {
    const { doing, report } = rig();
    doing("attach");
    doing("blur");
    doing("input");
    expect(report()).toMatchObject({ focus: "focused" });
  });

  test("proves nothing where it never was", () => {
    const { doing, report } = rig();
    doing("attach");
    doing("input");
    expect(report()).toMatchObject({ focus: "unknown" });
  });
});

describe("a sign of life", () => {
  test.each(["focus", "input", "view"] as const)("is %s", async (op) => {
    const { clock, doing, report } = rig();
    doing("attach");
    await clock.advance(5_000);
    doing(op, op === "view" ? onSession : {});
    expect(report()?.idleMs).toBe(0);
  });

  test("is not the loss of focus, and ages with every beat", async () => {
    const { clock, doing, report } = rig();
    doing("attach");
    await clock.advance(5_000);
    doing("blur");
    expect(report()?.idleMs).toBe(5_000);
    await clock.advance(30_000);
    expect(report()?.idleMs).toBe(30_000);
  });

  test("is hours ago after the machine slept", async () => {
    const { clock, doing, report } = rig();
    doing("attach");
    doing("focus");
    clock.sleep(3_600_000);
    await clock.advance(10_000);
    expect(report()?.idleMs).toBe(3_610_000);
  });
});

describe("a terminal goes", () => {
  test.each(["detach", "drop"] as const)("at once by %s", (op) => {
    const { doing, report } = rig();
    doing("attach");
    doing(op);
    expect(report()).toBeUndefined();
  });

  test("after half a minute when it hangs, and comes back when it does not", async () => {
    const { clock, doing, live } = rig();
    doing("attach");
    doing("hang");
    doing("focus");
    await clock.advance(29_999);
    expect(live()).toBe(true);
    await clock.advance(30_000);
    expect(live()).toBe(false);
    doing("resume");
    expect(live()).toBe(true);
  });

  test("and never beats again", async () => {
    const { clock, doing, changes } = rig();
    doing("attach");
    doing("drop");
    const before = changes();
    await clock.advance(60_000);
    expect(changes()).toBe(before);
  });

  test("that never came says nothing", () => {
    const { doing, changes } = rig();
    doing("focus");
    doing("drop");
    expect(changes()).toBe(0);
  });
});

test("one that attaches again begins anew, and its reports are newer than the old ones", async () => {
  const { clock, doing, report } = rig();
  doing("attach");
  doing("focus");
  doing("attach");
  await clock.advance(60_000);
  expect(report()).toMatchObject({ focus: "unknown", view: { type: "home" } });
});

test("it says how it can raise an alert itself", () => {
  const { doing, terminals } = rig();
  doing("attach", { terminal: { notify: ["osc9"], ssh: true } });
  expect(terminals.presence().get("T1")?.abilities).toEqual({ notify: ["osc9"], ssh: true });
});
