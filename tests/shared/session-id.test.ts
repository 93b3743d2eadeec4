import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { encode, readFromTerminal, readToTerminal } from "../../src/shared/protocol.ts";
import { isSessionID } from "../../src/shared/session-id.ts";

/** Recordings of real hosts; traces are made by hand in part, and their ids look the same. */
function recordings(): string[] {
  return ["fixtures", "traces"].flatMap((name) => {
    const folder = fileURLToPath(new URL(`../${name}`, import.meta.url));
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.jsonl?$/.test(file))
      .map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  });
}

test("every id that a host of either line was heard to give a session is one", () => {
  const ids = recordings().flatMap((text) =>
    [...text.matchAll(/"(?:sessionID|parentID)": ?"(ses[^"]*|[^"]*_session[^"]*)"/g)].map(([, id]) => id),
  );
  expect(ids.length).toBeGreaterThan(1_000);
  expect([...new Set(ids.filter((id) => !isSessionID(id)))]).toEqual([]);
});

const hostile = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...["", "ses_", "../x", "ses_../../global", "../../../etc/passwd", "ses_a/b", "ses_a.b", "ses_a\n", "ses_\u0000"],
  ...[
    "SES_a",
    " ses_a",
    "ses_a ",
    `ses_${"a".repeat(125)}`,
    "ses_".concat("a".repeat(100_000)),
    "ses_\u202ea",
    "dummy",
  ],
];

test.each(hostile)("%j is none, whoever says so: no frame with it is read", (sessionID) => {
  expect(isSessionID(sessionID)).toBe(false);
  expect(readToTerminal(encode({ type: "navigate", sessionID })).ok).toBe(false);
  const view = { type: "session" as const, sessionID };
  const report = { focus: "focused" as const, view, idleMs: 0 };
  expect(readFromTerminal(encode({ type: "report", seq: 1, report })).ok).toBe(false);
  const below = { ...report, view: { ...view, sessionID: "ses_a", rootID: sessionID } };
  expect(readFromTerminal(encode({ type: "report", seq: 1, report: below })).ok).toBe(false);
});

test.each([7, null, undefined, {}, ["ses_a"]])("%j is none", (id) => {
  expect(isSessionID(id)).toBe(false);
});
