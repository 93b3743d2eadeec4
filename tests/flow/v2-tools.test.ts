import { afterAll, beforeAll, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { needs } from "../rig/needs.ts";
import { inWords } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";

const names = ["beckon_config_get", "beckon_config_set", "beckon_notify_user", "beckon_status"];

needs("dbus-daemon")("on a 2.x host the model", () => {
  let desktop: Awaited<ReturnType<typeof startAcceptingDesktop>>;
  let host: ConformanceHost;
  beforeAll(async () => {
    desktop = await startAcceptingDesktop();
    host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
  });
  afterAll(async () => {
    await host?.close();
    await desktop?.close();
  });

  const tools = async () => (await host.server.use({ directory: host.home.project })).tools;

  /** What the tool said to the model. */
  async function call(name: string, input: object = {}) {
    const session = await host.newSession();
    await host.prompt(session, `[tool ${name} ${JSON.stringify(input)}]`);
    await host.ended(session);
    const message = host.server.api.context(session).find(({ type }) => type === "assistant");
    const part = message?.type === "assistant" ? message.content.find(({ type }) => type === "tool") : undefined;
    return { session, state: part?.type === "tool" ? part.state : undefined };
  }

  test("sees all four tools, outside code mode", async () => {
    expect(
      (await tools())
        .offered()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names);
  });

  test("gets an answer from each", async () => {
    for (const [name, input] of [
      ["beckon_status", {}],
      ["beckon_config_get", { section: "alerts" }],
      ["beckon_config_set", { alerts: { done: { mode: "none" } } }],
      ["beckon_config_set", { alerts: { done: { mode: "banner" } } }],
    ] as const) {
      const { state } = await call(name, input);
      expect({ name, state }).toMatchObject({ name, state: { status: "completed" } });
    }
  });

  test("can call the person, which is no work of its own", async () => {
    const { session, state } = await call("beckon_notify_user", { message: "the tests pass", mode: "banner" });
    expect(JSON.stringify(state)).toContain("[notified]");
    await host.decided((line) => line.sessionID === session && line.alert === "done");
    const lines = (await host.decisions()).filter(({ sessionID }) => sessionID === session);
    expect(lines.map(inWords).toSorted()).toEqual(["done silent no-real-work", "notify delivered asked-for"]);
  });

  test("is refused with the host's words when the arguments are wrong", async () => {
    const { state } = await call("beckon_notify_user", { message: 7 });
    expect(state).toMatchObject({ status: "error", error: { type: "tool.invalid-input" } });
  });

  test("loses them with the plugin", async () => {
    const opened = await tools();
    await host.server.close({ directory: host.home.project });
    expect(opened.list()).toEqual([]);
  });
});
