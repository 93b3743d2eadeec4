import { expect, test } from "vitest";
import { findPowerShell, runPowerShell } from "../../../src/server/delivery/powershell.ts";
import type { RunProgram } from "../../../src/server/delivery/run-program.ts";

const ends =
  (detail: string): RunProgram =>
  async () => ({ ok: false, error: { kind: "failed", detail } });

test.each([
  ["wsl", "exit 126: cannot execute binary file", "missing"],
  ["wsl", "exit 1: a script that failed", "failed"],
  ["win32", "exit 2: a script that failed", "failed"],
] as const)("only from inside WSL can Windows be out of reach: %s, %s", async (platform, detail, kind) => {
  const ran = await runPowerShell({ run: ends(detail), env: {}, platform }, [], { deadlineMs: 1_000 });
  expect(ran).toMatchObject({ ok: false, error: { kind } });
});

test.each([
  [{ SystemRoot: "D:\\Win" }, "D:\\Win"],
  [{ SYSTEMROOT: "D:\\Win" }, "D:\\Win"],
  [{}, "C:\\Windows"],
])("Windows lies where the environment says, however it spells it: %o", (env, root) => {
  expect(findPowerShell("win32", env)).toBe(`${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`);
});
