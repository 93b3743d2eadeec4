import { expect, test } from "vitest";
import { createPaint } from "../../../../src/server/cli/paint.ts";
import { whyLine } from "../../../../src/server/cli/why/why-line.ts";

const entry = {
  ...{ time: "2026-01-05T10:00:00.000Z", pid: 1, t: 1, alert: "done", sessionID: "ses_a", title: "Fix login" },
  ...{ outcome: "suppressed", reason: "attended", channels: [] },
};

test("who looked is said, and cannot write to the terminal of whoever reads it", () => {
  const line = whyLine({ ...entry, by: "pts/3\u001b[2J\nforged" }, createPaint(false));
  expect(line).toContain("held back: you were looking at it (pts/3");
  expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
});
