import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ancestorsOf } from "../../src/tui/ancestors.ts";

test("a process comes first, then the one it came from", () => {
  expect(ancestorsOf(process.pid).slice(0, 2)).toEqual([process.pid, process.ppid]);
});

test("a name that looks like the rest of the line does not lead astray", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-name-"));
  const program = join(folder, "x) S 1 (");
  writeFileSync(program, "#!/bin/sh\nread line\n");
  chmodSync(program, 0o755);
  const child = spawn(program, { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  expect(ancestorsOf(child.pid ?? 0).slice(0, 2)).toEqual([child.pid, process.pid]);
  child.stdin.end();
  await once(child, "close");
  rmSync(folder, { recursive: true });
});

test("of a process that is gone nothing more is known", () => {
  const gone = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  expect(ancestorsOf(gone)).toEqual([gone]);
});
