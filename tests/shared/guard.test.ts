import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/shared/clock.ts";
import { createGuard, tellBugsTo } from "../../src/shared/guard.ts";

function rig() {
  const lines: string[] = [];
  return { lines, guard: createGuard((line) => void lines.push(line)) };
}
const bug = () => {
  throw new Error("a bug of ours");
};

describe("whoever calls us from outside", () => {
  test("meets no exception, and the log has it with its stack", () => {
    const { lines, guard } = rig();
    expect(() => guard.guarded("socket", bug)()).not.toThrow();
    expect(lines).toEqual([expect.stringMatching(/^socket: a bug of ours: Error: a bug of ours\n.*guard\.test\.ts/)]);
  });

  test("meets no rejection of what runs on", async () => {
    const { lines, guard } = rig();
    guard.guarded("socket", async () => bug())();
    await Promise.resolve();
    await Promise.resolve();
    expect(lines).toHaveLength(1);
  });

  test("is given something where a value was wanted", async () => {
    const { lines, guard } = rig();
    expect(guard.answering("view", "none", bug)()).toBe("none");
    expect(guard.answering("view", "none", (word: string) => word)("home")).toBe("home");
    await expect(guard.promising("call", "none", async () => bug())()).resolves.toBe("none");
    await expect(guard.promising("call", "none", bug)()).resolves.toBe("none");
    expect(lines).toHaveLength(3);
  });

  test("hears nothing of a log that fails", () => {
    expect(createGuard(bug).guarded("socket", bug)).not.toThrow();
  });

  test.each([
    ["nothing", undefined],
    ["an object without words", Object.create(null)],
    [
      "one whose words throw",
      {
        toString() {
          throw new Error("no");
        },
      },
    ],
  ])("may be thrown %s", (_what, thrown) => {
    const { lines, guard } = rig();
    guard.guarded("socket", () => {
      throw thrown;
    })();
    expect(lines).toHaveLength(1);
  });
});

describe("the same bug", () => {
  test("is logged with its stack once and then counted, whatever its message says", () => {
    const { lines, guard } = rig();
    let met = 0;
    const run = guard.guarded("timer", () => {
      met += 1;
      throw new Error(`session number ${met}`);
    });
    for (let times = 0; times < 120; times += 1) run();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("guard.test.ts");
    expect(lines.slice(1)).toEqual([
      "timer: the same bug, 10 times by now: Error: session number 10",
      "timer: the same bug, 100 times by now: Error: session number 100",
    ]);
  });

  test("is told apart from one of another place, and the memory for them has an end", () => {
    const { lines, guard } = rig();
    const error = new Error("x");
    for (let place = 0; place < 500; place += 1) guard.report(`place ${place}`, error);
    expect(lines).toHaveLength(500);
    guard.report("place 499", error);
    guard.report("place 0", error); // long forgotten
    expect(lines).toHaveLength(501);
  });
});

test("a timer that throws neither ends the process nor keeps others from running, and is told once there is a log", async () => {
  const lines: string[] = [];
  systemClock.after(0, bug);
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
  tellBugsTo((line) => void lines.push(line));
  expect(lines).toEqual([expect.stringContaining("timer: a bug of ours: Error: a bug of ours")]);
});
