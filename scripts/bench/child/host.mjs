// A host of opencode 1.18 as the server part sees it: what `server(input)` is handed, and recorded events to feed it.
import { readFileSync } from "node:fs";

const recording = new URL("../../../tests/fixtures/opencode-1.18/tool-bash.jsonl", import.meta.url);
const messages = new URL("../../../tests/fixtures/opencode-1.18/tool-bash.messages.json", import.meta.url);

const recorded = readFileSync(recording, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const recordedSession = recorded[0].event.properties.sessionID;
const list = JSON.parse(readFileSync(messages, "utf8"));

/** Answers at once, as a host on the same machine would within a millisecond. */
export function fakeInput() {
  const facts = (id) => ({ id, title: "Bench", directory: "/project", time: { created: 0, updated: 0 } });
  return {
    client: {
      session: {
        get: async ({ path }) => ({ data: facts(path.id) }),
        messages: async () => ({ data: list }),
      },
    },
    directory: "/project",
    worktree: "/project",
    project: { id: "project", worktree: "/project" },
    serverUrl: new URL("http://localhost:4096/"),
  };
}

const round = JSON.stringify(recorded.filter(({ hook }) => hook === "event").map(({ event }) => event))
  .replaceAll(recordedSession, "<session>")
  .replaceAll(/"(evt|msg|prt)_([A-Za-z0-9]+)"/g, (_, kind, id) => `"${kind}_${id}<session>"`);

/** The events of one recorded round with a real tool, as if they had happened in that session. */
export const roundOf = (sessionID) => JSON.parse(round.replaceAll("<session>", sessionID));

/** What nobody acts upon: text that streams in, and the host's own affairs. */
export const ignoredEvents = [
  ...recorded.filter(({ event }) => event?.type === "message.part.delta").map(({ event }) => event),
  { id: "evt_b1", type: "file.watcher.updated", properties: { file: "/project/a.ts", event: "change" } },
  { id: "evt_b2", type: "lsp.updated", properties: {} },
];

const told =
  /^(session\.(status|idle|error|created|updated|deleted)|permission\.|question\.|message\.(updated|part\.updated)$)/;
export const isRelevant = ({ type }) => told.test(type);
