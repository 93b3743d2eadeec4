import { expect, test } from "vitest";
import { isV2Context } from "../../../../src/server/hosts/v2/host.ts";
import { sessionFacts } from "../../../../src/server/hosts/v2/session-facts.ts";

const event = { subscribe: () => {} };
const session = { get: () => {} };

test.each<[string, unknown, boolean]>([
  ["a server's context", { event, session }, true],
  ["a context with more", { event, session, rpc: {}, tool: {} }, true],
  ["1.18's reduced context", { options: {}, agent: {}, catalog: {}, command: {} }, false],
  ["a terminal's context", { renderer: {}, client: {}, ui: {} }, false],
  ["one without sessions", { event }, false],
  ["one whose members are no functions", { event: { subscribe: 1 }, session: { get: {} } }, false],
  ["nothing", undefined, false],
  ["null", null, false],
  ["a text", "context", false],
])("%s: ours %3$s", (_, context, ours) => {
  expect(isV2Context(context)).toBe(ours);
});

test("a session is known by title, parent and place", () => {
  expect(sessionFacts({ title: "Fix", parentID: "P", location: { directory: "/a" }, directory: "/b" })).toEqual({
    title: "Fix",
    parentID: "P",
    directory: "/a",
  });
  expect(sessionFacts({ directory: "/b" })).toEqual({ title: "", parentID: null, directory: "/b" });
  expect(sessionFacts(null)).toEqual({ title: "", parentID: null });
});
