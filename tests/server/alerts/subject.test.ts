import { expect, test } from "vitest";
import { subjectOf } from "../../../src/server/alerts/subject.ts";
import { createRecords, type SessionRecord } from "../../../src/server/session/records.ts";

function records(sessions: Record<string, Partial<SessionRecord>>) {
  const made = createRecords();
  for (const [id, { parentID, ...facts }] of Object.entries(sessions)) {
    const record = Object.assign(made.ensure(id, 0), facts);
    if (parentID !== undefined) made.place(record, parentID);
  }
  return made;
}

test("an alert bears its session's title", () => {
  expect(subjectOf(records({ S: { title: "Fix login", directory: "/w/app" } }), "S")).toEqual({
    sessionID: "S",
    rootID: "S",
    title: "Fix login",
    name: "Fix login",
    project: "app",
  });
});

test("a subagent's alert bears the title and the folder of its root", () => {
  const known = records({
    S: { title: "Fix login", directory: "/w/app" },
    C: { parentID: "S", title: "Search (@general subagent)", directory: "/tmp/elsewhere" },
  });
  expect(subjectOf(known, "C")).toMatchObject({ sessionID: "C", rootID: "S", title: "Fix login", project: "app" });
});

test.each([
  "New session - 2026-11-30T03:29:34.488Z",
  "Child session - 2026-11-30T03:29:34.488Z",
  "new session",
  "",
  "   ",
  "\u0007\u202e",
])("a title that says nothing (%j) gives way to the folder's name", (title) => {
  expect(subjectOf(records({ S: { title, directory: "/w/app/" } }), "S").title).toBe("app");
});

test.each(["New session handling", "Newsession - 2026-11-30T03:29:34.488Z", "A new session"])(
  "a title that only begins like the host's own (%j) is a title",
  (title) => {
    expect(subjectOf(records({ S: { title, directory: "/w/app" } }), "S").title).toBe(title);
  },
);

test.each([
  ["/w/app", "app"],
  ["C:\\Users\\me\\app\\", "app"],
  ["/", "opencode"],
  ["", "opencode"],
])("the folder of %j is %s", (directory, project) => {
  expect(subjectOf(records({ S: { directory } }), "S")).toMatchObject({ title: project, project });
});

test("a session nobody told anything about is named for the plugin's own folder, else the product", () => {
  expect(subjectOf(records({}), "S", "/w/app").title).toBe("app");
  expect(subjectOf(records({}), "S").title).toBe("opencode");
});

test("a child whose root is only named lends its own folder", () => {
  expect(subjectOf(records({ C: { parentID: "S", directory: "/w/app" } }), "C").title).toBe("app");
});

test("titles are cleaned and shortened", () => {
  const { title } = subjectOf(records({ S: { title: `a\u001b[31mb\nc ${"x".repeat(10_000)}` } }), "S");
  expect(title).toMatch(/^ab c x+…$/);
  expect(title.length).toBeLessThanOrEqual(80);
});

test("a person's globs are about the whole title, however much of it a banner shows", () => {
  const title = `${"very long ".repeat(20)}[quiet]`;
  const subject = subjectOf(records({ S: { title, directory: "/w/app" } }), "S");
  expect(subject.name).toBe(title);
  expect(subject.title.length).toBeLessThan(title.length);
});
