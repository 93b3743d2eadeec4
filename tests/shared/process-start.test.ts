import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { mayBeSame, processFacts, readStart } from "../../src/shared/process-start.ts";

const stat = (command: string, ticks: number) =>
  `4711 (${command}) S 1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 ${ticks} 12345 678`;
const system = "cpu  1 2 3\nbtime 1700000000\nprocesses 9\n";

describe("when a process began", () => {
  test("is the machine's start plus its own ticks", () => {
    expect(readStart(stat("opencode", 250), system)).toBe(1_700_000_002_500);
  });

  test("is found behind a name with blanks and brackets", () => {
    expect(readStart(stat("a ) S (b", 250), system)).toBe(1_700_000_002_500);
  });

  test("is unknown where the system does not say", () => {
    expect(readStart("", system)).toBeUndefined();
    expect(readStart(stat("opencode", 250), "")).toBeUndefined();
  });

  test.runIf(process.platform === "linux")("fits what Linux says about this very process", async () => {
    const real = { poke: (pid: number) => void process.kill(pid, 0), read: (path: string) => readFile(path, "utf8") };
    const { alive, startedAt } = await processFacts(real, process.pid);
    expect(alive).toBe(true);
    expect(Math.abs((startedAt ?? 0) - (Date.now() - process.uptime() * 1_000))).toBeLessThan(5_000);
  });
});

describe("a pid", () => {
  const failing = (code: string) => ({
    poke: () => {
      throw Object.assign(new Error("kill"), { code });
    },
    read: () => Promise.reject(new Error("none")),
  });

  test("that is gone is dead; somebody else's is alive", async () => {
    expect(await processFacts(failing("ESRCH"), 1)).toEqual({ alive: false, startedAt: undefined });
    expect(await processFacts(failing("EPERM"), 1)).toEqual({ alive: true, startedAt: undefined });
  });

  test("may be the same process only when it lives and began before the announcement", () => {
    expect(mayBeSame({ alive: true, startedAt: 1_000 }, 2_000)).toBe(true);
    expect(mayBeSame({ alive: true, startedAt: undefined }, 2_000)).toBe(true);
    expect(mayBeSame({ alive: true, startedAt: 60_000 }, 2_000)).toBe(false);
    expect(mayBeSame({ alive: false, startedAt: undefined }, 2_000)).toBe(false);
  });
});
