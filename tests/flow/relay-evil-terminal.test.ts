import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { relayDirectories } from "../../src/shared/rendezvous.ts";
import { hostileText as evil } from "../contract/hostile-texts.ts";
import { bundle } from "../rig/bundle.ts";
import { isolatedHome } from "../rig/host/isolated-home.ts";
import { writeProject } from "../rig/host/project.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { openTerminal } from "../rig/host/terminal.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";

/** A relay that welcomes everybody and answers every question with text that means harm. */
async function startEvilRelay() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once("listening", listening));
  const asked: string[] = [];
  let terminal: WebSocket | undefined;
  server.on("connection", (socket) => {
    const say = (frame: object) => socket.send(JSON.stringify(frame));
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data));
      asked.push(frame.type);
      if (frame.role === "terminal") terminal = socket;
      if (frame.type === "hello") say({ type: "welcome", protocol: 1, relay: "r".repeat(16), heartbeatMs: 10_000 });
      if (frame.type === "status") say({ type: "status", status: { lines: [`STATUS ${evil}`, "AFTER STATUS"] } });
      if (frame.type === "test") say({ type: "answer", to: "test", ok: true, text: `ANSWER ${evil}` });
    });
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    url: `ws://127.0.0.1:${address.port}/focus`,
    asked,
    isConnected: () => terminal !== undefined,
    say: (frame: object) => terminal?.send(JSON.stringify(frame)),
  };
}

needs("python3")("a relay that means harm", () => {
  test("prints nothing that acts on the terminal of a real TUI, by whichever way it tries", async () => {
    const relay = await startEvilRelay();
    const home = isolatedHome();
    onTestFinished(() => home.remove());
    const model = await startModel();
    onTestFinished(() => model.close());
    writeProject(home, {
      modelURL: model.baseURL,
      tuiPlugins: [await bundle(new URL("../../src/tui/index.ts", import.meta.url))],
    });
    const descriptor = {
      url: relay.url,
      token: "t",
      pid: process.pid,
      startedAt: Date.now(),
      line: "v1",
      protocol: 1,
      directories: [],
    };
    for (const folder of relayDirectories(home.env, home.root)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      writeFileSync(join(folder, `${"a".repeat(16)}.json`), JSON.stringify(descriptor), { mode: 0o600 });
    }
    const terminal = await openTerminal([hostProgram()], {
      ...{ cwd: home.project, rows: 40, cols: 120 },
      env: { ...home.env, TERM_PROGRAM: "ghostty" },
    });
    onTestFinished(() => terminal.end().then(() => undefined));
    const shows = (word: string) => waitUntil(`${word} on the screen`, () => terminal.output().includes(word));

    await waitUntil("the terminal part to be welcome", relay.isConnected);
    relay.say({
      type: "raise",
      request: 1,
      alert: { key: "k", title: `RAISED ${evil}`, body: evil, urgency: "critical" },
    });
    await shows("RAISED");
    relay.say({ type: "toast", message: `TOASTED ${evil}`, title: evil });
    await shows("TOASTED");
    terminal.write("/beckon");
    await shows("/beckon-unmute");
    terminal.write("\r");
    await shows("AFTER STATUS");
    const printed = terminal.output();
    expect(relay.asked).toContain("status");
    expect(printed).not.toMatch(/52;c;(?:RVZ|QUJD)|8;;http:\/\/evil|0;owned|\$q/);
    const bytes = Buffer.from(printed, "latin1");
    for (const sign of ["\u202e", "\u2066", "\u200b", "\u{e0041}"]) expect(bytes.includes(sign), sign).toBe(false);
  }, 170_000);
});
