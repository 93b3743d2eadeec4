import { expect, test } from "vitest";
import type { RunProgram } from "../../../src/server/delivery/run-program.ts";
import { createWindowsToast } from "../../../src/server/delivery/windows-toast.ts";
import { noteOf } from "./note.ts";

test("where PowerShell cannot be run nothing is up: it is not started again to take that back", async () => {
  let runs = 0;
  const run: RunProgram = async () => {
    runs += 1;
    return { ok: false, error: { kind: "missing", detail: "no such program" } };
  };
  const toast = createWindowsToast({ run, env: {}, platform: "win32" });
  const note = noteOf();
  expect(await toast.send(note, new AbortController().signal)).toMatchObject({ ok: false, reason: "unavailable" });
  expect(await toast.replaces?.(note.key)).toBe(false);
  expect(await toast.withdraw?.(note.key)).toBe(false);
  expect(runs).toBe(1);
});
