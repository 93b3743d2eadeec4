import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Packed, pack } from "./packed.ts";
import { runScript, runtimes } from "./runtimes.ts";

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

describe.each(runtimes())("on $name an opencode 2 that stops", (runtime) => {
  test("leaves a line about work that had just ended, though its plugins cannot tell a stop from a reload", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "beckon-last-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const script = join(packed.project, "stop.mjs");
    writeFileSync(script, workAndStop);
    const env = { ...runtime.env, HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home };
    const { stdout, stderr } = await runScript({ ...runtime, env }, script, home);
    expect(stdout + stderr).toBe("");
    const journal = readFileSync(join(home, "opencode-beckon/journal.jsonl"), "utf8").trim().split("\n");
    expect(journal.map((line) => JSON.parse(line))).toMatchObject([
      { alert: "done", sessionID: "ses_1", outcome: "silent", reason: "shutdown", channels: [] },
    ]);
  });
});

/** A 2.x server whose one session ends its work; the server is stopped in the same breath. */
const workAndStop = `
  import plugin from "opencode-beckon";
  const queue = [];
  let arrived = () => {};
  const subscribe = async function* ({ signal }) {
    while (!signal.aborted) {
      if (queue.length > 0) yield queue.shift();
      else await new Promise((go) => { arrived = go; signal.addEventListener("abort", go); });
    }
  };
  const info = { id: "ses_1", title: "Fix login", location: { directory: "/project" } };
  const context = {
    event: { subscribe },
    session: { get: async () => info, context: async () => [] },
    location: { directory: "/project" },
  };
  const stop = await plugin.setup(context);
  const call = { sessionID: "ses_1", callID: "call_1", messageID: "msg_1" };
  const happened = [
    ["session.created", { sessionID: "ses_1", info }],
    ["session.inbox.enqueued", { sessionID: "ses_1", inboxID: "inb_1", item: { type: "user", payload: {} } }],
    ["session.execution.started", { sessionID: "ses_1" }],
    ["session.inbox.delivered", { sessionID: "ses_1", inboxID: "inb_1" }],
    ["session.step.started", { sessionID: "ses_1" }],
    ["session.tool.input.started", { ...call, name: "shell" }],
    ["session.tool.called", call],
    ["session.tool.success", call],
    ["session.step.ended", { sessionID: "ses_1" }],
    ["session.execution.succeeded", { sessionID: "ses_1" }],
  ];
  for (const [at, [type, data]] of happened.entries()) queue.push({ id: "evt_" + at, type, created: Date.now() + 1_000, data });
  arrived();
  while (queue.length > 0) await new Promise((go) => setImmediate(go));
  await stop();
`;
