import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { tellBugsTo } from "../../src/shared/guard.ts";
import door from "../../src/tui/index.ts";
import { createTerminalLog } from "../../src/tui/terminal-log.ts";
import { waitFor } from "../rig/host/wait-for.ts";
import { tempFolders } from "../server/files/programs/temp-folder.ts";
import { createFakeRenderer } from "./hosts/fake-renderer.ts";

const folder = tempFolders();
afterEach(() => {
  vi.unstubAllEnvs();
  tellBugsTo(() => {});
});

const linesOf = (path: string): string[] | undefined =>
  existsSync(path) && readFileSync(path, "utf8").endsWith("\n")
    ? readFileSync(path, "utf8").trimEnd().split("\n")
    : undefined;

test("a problem is one line in terminal.log, which is ours alone; without one there is no file", async () => {
  const stateDir = join(folder(), "state");
  const path = join(stateDir, "terminal.log");
  const log = createTerminalLog({ stateDir, pid: 7, wall: () => Date.parse("2026-01-05T10:00:00Z") });
  expect(existsSync(stateDir)).toBe(false);
  log("bad\u001b[31m news\nin lines");
  expect(await waitFor("a line", () => linesOf(path))).toEqual([
    "2026-01-05T10:00:00.000Z 7 problem bad news in lines",
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(stateDir).mode & 0o777).toBe(0o700);
});

test("it has an end: at 256 KiB it becomes terminal.log.1", async () => {
  const stateDir = folder();
  const log = createTerminalLog({ stateDir, pid: 7, wall: Date.now });
  const path = join(stateDir, "terminal.log.1");
  await waitFor("a second file", () => {
    for (let line = 0; line < 50; line += 1) log("x".repeat(1_900));
    return existsSync(path) || undefined;
  });
  expect(statSync(path).size).toBeLessThan(300_000);
});

test("a state folder that cannot be had costs the log, and throws nothing", async () => {
  const log = createTerminalLog({ stateDir: "/proc/nowhere", pid: 7, wall: Date.now });
  log("first");
  log("second");
  const stateDir = folder();
  createTerminalLog({ stateDir, pid: 7, wall: Date.now })("marker");
  await waitFor("a line elsewhere", () => linesOf(join(stateDir, "terminal.log")));
});

test("what an older copy left behind in the process, and its end that throws, cost the host nothing: the log has it", async () => {
  const stateDir = folder();
  for (const name of ["BECKON_STATE_DIR", "BECKON_RUNTIME_DIR"]) vi.stubEnv(name, stateDir);
  for (const name of ["TMUX", "BECKON_RELAY"]) vi.stubEnv(name, undefined);
  const { renderer, events, keyInput, sequence } = createFakeRenderer();
  const broken = { id: "old", seq: 0, state: null, end: () => { throw new Error("the older end"); } }; // biome-ignore format: one line
  const place = Symbol.for("opencode-beckon.terminals.1");
  const before: unknown = Reflect.get(globalThis, place);
  Object.defineProperty(globalThis, place, { value: new WeakMap([[renderer, broken]]), configurable: true });
  try {
    await door.tui({ renderer });
    expect(() => {
      events.emit("focus");
      keyInput.emit("keypress", {});
      sequence("\u001b[I");
    }).not.toThrow();
    const lines = await waitFor("two lines", () => {
      const found = linesOf(join(stateDir, "terminal.log"));
      return found !== undefined && found.length >= 2 ? found : undefined;
    });
    expect(lines[0]).toMatch(/an earlier load: a bug of ours: Error: the older end/);
    expect(lines[1]).toMatch(/a bug of ours: TypeError/);
  } finally {
    Object.defineProperty(globalThis, place, { value: before, configurable: true });
  }
});
