import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createPresenceStore } from "../../src/server/focus/presence-store.ts";
import { type Relay, startRelay } from "../../src/server/focus/relay.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import { relayDirectories } from "../../src/shared/rendezvous.ts";
import { bundle } from "../rig/bundle.ts";
import { type IsolatedHome, isolatedHome } from "../rig/host/isolated-home.ts";
import { writeProject } from "../rig/host/project.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { openTerminal, printedBytes, type Terminal, type TerminalOptions } from "../rig/host/terminal.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { type ModelServer, startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";

const on = "\x1b[?1004h";
const off = "\x1b[?1004l";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

needs("python3", "tmux")("the terminal part in a real opencode 1.18", () => {
  const store = createPresenceStore({ clock: systemClock, maxTerminals: () => 8, onPresence: () => {} });
  let home: IsolatedHome;
  let model: ModelServer;
  let relay: Relay;
  const terminals: Terminal[] = [];

  beforeAll(async () => {
    [home, model] = [isolatedHome(), await startModel()];
    writeProject(home, {
      modelURL: model.baseURL,
      tuiPlugins: [await bundle(new URL("../../src/tui/index.ts", import.meta.url))],
    });
    const started = await startRelay({
      clock: systemClock,
      log: silentLog,
      folders: relayDirectories(home.env, home.root),
      line: "v1",
      directories: () => [home.project],
      maxTerminals: () => 8,
      store,
      observer: () => ({ status: () => ({ lines: ["Everything is quiet"] }) }),
    });
    if (!started.ok) throw new Error(started.error.detail);
    relay = started.value;
  });
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) await terminal.end();
    await waitUntil("nobody left", () => store.presence().size === 0);
  });
  afterAll(async () => {
    await relay?.close();
    await model?.close();
    home?.remove();
  });

  const said = () => [...store.presence().values()][0]?.report;
  const says = (focus: string) => waitUntil(`a terminal that is ${focus}`, () => said()?.focus === focus);
  const open = async (argv: string[], options: Partial<TerminalOptions> = {}) => {
    const terminal = await openTerminal(argv, { cwd: home.project, env: home.env, ...options });
    terminals.push(terminal);
    return terminal;
  };
  /** A terminal that, like tmux 3.3 and Konsole, does not say whether it reports focus. */
  const openSilent = async (argv: string[]) => {
    const terminal = await open(argv, { answersFocusQuery: false });
    return { terminal, switched: () => terminal.output().match(/.\[\?1004[hl]/g) ?? [] };
  };

  test("says what the host hears where the host asked for it, and writes nothing of its own", async () => {
    const terminal = await open([hostProgram()], { env: { ...home.env, TERM_PROGRAM: "ghostty" } });
    await says("unknown");
    expect(said()?.view).toEqual({ type: "home" });
    await printedBytes(terminal, on);
    terminal.focus();
    await says("focused");
    terminal.blur();
    await says("blurred");
    terminal.write("x"); // a key in a terminal that has reported focus proves it
    await says("focused");
    const alert = { key: "k", title: "Fix login", body: "Work finished", urgency: "normal" as const };
    expect(await relay.raise([...store.presence().keys()][0] ?? "", alert)).toBe(true);
    await printedBytes(terminal, "\x1b]777;notify;Fix login;Work finished\x1b\\");
    terminal.write("\x7f");
    terminal.write("/beckon");
    await printedBytes(terminal, "Who is attached");
    terminal.write("\r");
    await printedBytes(terminal, "Everything is quiet");
  });

  test("asks for focus itself where the host did not, gives the terminal back while suspended and at Ctrl-C", async () => {
    const { terminal, switched } = await openSilent(["/bin/bash", "--norc", "--noprofile", "-i"]);
    terminal.write(`${hostProgram()}\r`);
    await says("unknown");
    await waitUntil("focus reports", () => switched().join("") === on);
    terminal.focus();
    await says("focused");
    terminal.write("\x1a"); // Ctrl-Z
    await waitUntil("the shell has the terminal", () => switched().join("") === on + off);
    await waitUntil("nobody looks at a session", () => said()?.view.type === "other" && said()?.focus === "unknown");
    terminal.write("fg\r");
    await waitUntil("focus reports again", () => switched().join("") === on + off + on);
    await waitUntil("the start screen again", () => said()?.view.type === "home");
    terminal.focus();
    await says("focused");
    terminal.write("\x03\x03"); // whoever wants to leave presses it twice
    await waitUntil("the terminal is given back", () => switched().join("") === on + off + on + off);
  });

  test.each<NodeJS.Signals>(["SIGTERM", "SIGHUP"])("gives the terminal back at %s", async (signal) => {
    const { terminal, switched } = await openSilent([hostProgram()]);
    await waitUntil("focus reports", () => switched().join("") === on);
    terminal.signal(signal);
    await waitUntil("the terminal is given back", () => switched().join("") === on + off);
  });

  test("follows the panes of a real tmux", async () => {
    const name = `beckon-${process.pid}`;
    const tmux = (...args: string[]) => spawnSync("tmux", ["-L", name, ...args], { cwd: home.project, env: home.env });
    const config = join(home.root, "tmux.conf");
    writeFileSync(config, "set -g focus-events on\n");
    try {
      tmux("-f", config, "new-session", "-d", "-x", "120", "-y", "40", hostProgram());
      await waitUntil("the terminal part", () => store.presence().size === 1);
      const window = await open(["/usr/bin/env", "tmux", "-L", name, "attach"]);
      await printedBytes(window, on);
      window.focus();
      await says("focused");
      tmux("split-window", "sleep 1000");
      await says("blurred");
      tmux("select-pane", "-t", "0");
      await says("focused");
      window.blur();
      await says("blurred");
    } finally {
      tmux("kill-server");
    }
  });
});
