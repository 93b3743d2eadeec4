import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toolDefinitions } from "../../src/server/tools/definitions.ts";
import { type IsolatedHome, isolatedHome } from "../rig/host/isolated-home.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { bundlePlugin } from "./tools/bundle-plugin.ts";

let host: RealHost;
let scratch: IsolatedHome;
const file = (name: string) => join(scratch.root, name);

beforeAll(async () => {
  scratch = isolatedHome();
  const plugin = await bundlePlugin(scratch.root);
  const env = { TEST_CONFIG: file("config.json"), TEST_NOTIFIED: file("notified") };
  host = await startRealHost({ plugins: [plugin], env });
});
afterAll(async () => {
  await host.close();
  scratch.remove();
});

/** What the tool answered when the model of the real host called it. */
async function call(name: string, args: unknown): Promise<string | undefined> {
  const sessionID = await host.newSession();
  await host.prompt(sessionID, `[call ${name} ${JSON.stringify(args)}]`);
  await host.ended(sessionID);
  const asked = host.model.requests().filter(({ prompt }) => prompt.includes(`[call ${name} ${JSON.stringify(args)}]`));
  return asked.at(-1)?.answers.at(-1);
}

test("the host offers the model our tools with our own descriptions and arguments", async () => {
  await call("beckon_status", {});
  const offered = host.model.requests().find(({ offersTools }) => offersTools)?.tools ?? [];
  for (const { name, description, parameters } of Object.values(toolDefinitions)) {
    expect(offered).toContainEqual({
      type: "function",
      function: expect.objectContaining({
        name,
        description,
        parameters: expect.objectContaining({
          type: "object",
          properties: parameters.properties,
          ...(parameters.required.length > 0 ? { required: parameters.required } : {}),
        }),
      }),
    });
  }
});

test("arguments arrive as the model sent them, with the session", async () => {
  expect(await call("beckon_notify_user", { message: "Tests are green", source: "FIX-1", mode: null })).toBe(
    "[notified] banner accepted by test",
  );
  expect(JSON.parse(readFileSync(file("notified"), "utf8").trim())).toEqual({
    sessionID: expect.stringMatching(/^ses_/),
    mode: "both",
    title: "FIX-1",
    message: "Tests are green",
    spoken: "FIX-1: Tests are green",
  });
});

test("wrong arguments are answered in our words, not by the host's schema error", async () => {
  expect(await call("beckon_notify_user", { mode: "loud" })).toBe(
    '[failed] nothing was sent: mode: expected one of "both", "banner", "voice", found "loud"',
  );
  expect(await call("beckon_config_set", { alerts: { dnoe: {} } })).toContain('did you mean "done"?');
});

test("a setting the model changes stands in the file and is shown to the next call", async () => {
  expect(await call("beckon_config_set", { alerts: { done: { mode: "both" } } })).toContain(
    `[saved] ${file("config.json")}`,
  );
  expect(readFileSync(file("config.json"), "utf8")).toBe('{\n  "alerts": { "done": { "mode": "both" } }\n}\n');
  expect(await call("beckon_config_get", { section: "alerts.done" })).toContain('alerts.done.mode = "both"; takes');
});
