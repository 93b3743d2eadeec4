import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toolDefinitions } from "../../src/server/tools/definitions.ts";
import { promptSection } from "../../src/server/tools/prompt-section.ts";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { needs } from "../rig/needs.ts";
import { inEnglish } from "./v1/english.ts";
import { reaches } from "./v1/shown.ts";

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
)("the tools of the built plugin on the real opencode 1.18", () => {
  let desktop: Desktop;
  let host: RealHost;

  beforeAll(async () => {
    desktop = await startDesktop();
    host = await startRealHost({ plugins: [packageRoot()], env: { ...inEnglish, ...reaches(desktop) } });
  });
  afterAll(async () => {
    await host?.close();
    await desktop?.close();
  });

  /** What the tool answered when the model of the real host called it. */
  async function call(name: string, args: unknown): Promise<string | undefined> {
    const sessionID = await host.newSession();
    await host.prompt(sessionID, `[call ${name} ${JSON.stringify(args)}]`);
    await host.ended(sessionID);
    const asked = host.model
      .requests()
      .filter(({ prompt }) => prompt.includes(`[call ${name} ${JSON.stringify(args)}]`));
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

  test("the system prompt says when to use them", async () => {
    await call("beckon_status", {});
    expect(host.model.requests().find(({ offersTools }) => offersTools)?.system).toContain(promptSection);
  });

  test("what the model tells a person is shown under its source, whatever else holds alerts back", async () => {
    const said = { message: "Tests are green", source: "FIX-1", mode: "banner" };
    expect(await call("beckon_notify_user", said)).toBe("[notified] banner accepted by dbus");
    await desktop.until("the banner", (banners) =>
      banners.find(({ title, body }) => title === "FIX-1" && body === said.message),
    );
  });

  test("wrong arguments are answered in our words, not by the host's schema error", async () => {
    expect(await call("beckon_notify_user", { mode: "loud" })).toBe(
      '[failed] nothing was sent: mode: expected one of "both", "banner", "voice", found "loud"',
    );
    expect(await call("beckon_config_set", { alerts: { dnoe: {} } })).toContain('did you mean "done"?');
  });

  test("a setting the model changes stands in the file and is shown to the next call", async () => {
    expect(await call("beckon_config_set", { alerts: { done: { mode: "both" } } })).toContain(
      `[saved] ${host.home.beckonConfig}`,
    );
    expect(readFileSync(host.home.beckonConfig, "utf8")).toBe('{\n  "alerts": { "done": { "mode": "both" } }\n}\n');
    expect(await call("beckon_config_get", { section: "alerts.done" })).toContain('alerts.done.mode = "both"; takes');
  });
});
