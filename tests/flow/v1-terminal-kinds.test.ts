import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { osc99Query } from "../../src/shared/terminal-notification.ts";
import type { IsolatedHome } from "../rig/host/isolated-home.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { shellWord } from "../rig/host/shell-words.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import { openTerminal, type Terminal } from "../rig/host/terminal.ts";
import { terminalKinds } from "../rig/host/terminal-kinds.ts";
import { notificationsIn, type TerminalNotification } from "../rig/host/terminal-notifications.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { inEnglish } from "./v1/english.ts";
import { type Observer, observe } from "./v1/observer.ts";
import { startTmux, type TmuxOptions } from "./v1/tmux.ts";
import { work } from "./v1/work.ts";

/** A reminder of a permission comes soon: the second alert of one session. */
function remindSoon({ beckonConfig }: IsolatedHome): void {
  mkdirSync(dirname(beckonConfig), { recursive: true });
  writeFileSync(beckonConfig, JSON.stringify({ alerts: { reminder: { afterSeconds: 2 } } }), { mode: 0o600 });
}

const permission = "A permission waits for you · bash";
const texts = [permission, `Still waiting · ${permission}`, expect.stringMatching(/^Work finished · \d+ s$/)];
const urgencies = [2, 2, 1];
const bell = { by: "bell", title: "", body: "", end: "up" };

/** What a terminal that knows this way has shown of the story. */
const inOsc99 = (title: string) =>
  ["replaced", "taken back", "up"].map((end, at) => ({
    by: "osc99",
    title,
    body: texts[at],
    urgency: urgencies[at],
    end,
  }));
const inOsc777 = (title: string) => texts.map((body) => ({ by: "osc777", title, body, end: "up" }));
const inOsc9 = (title: string) => {
  const said = [`${title}: ${texts[0]}`, `${title}: ${texts[1]}`, expect.stringMatching(/^.+: Work finished · \d+ s$/)];
  return said.map((body) => ({ by: "osc9", title: "", body, end: "up" }));
};
const inBells = () => texts.map(() => bell);

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

needs(
  "python3",
  "tmux",
  "screen",
)("with opencode 1.18 on a machine without a desktop", () => {
  let host: RealHost;
  let observer: Observer;

  beforeAll(async () => {
    const plugins = [packageRoot()];
    host = await startRealHost({ plugins, tuiPlugins: plugins, env: inEnglish, prepare: remindSoon });
    observer = await observe(host.home);
  });
  afterAll(async () => {
    observer?.close();
    await host?.close();
  });

  const newSession = () => host.newSession({ ask: ["bash"] });
  const attaching = (session: string) => [hostProgram(), "attach", host.server.url, "--session", session];
  const isReady = (pid: number, session: string) => observer.knows(pid, { view: "session", sessionID: session });

  const views = async () => (await observer.terminals()).map(({ view, sessionID }) => sessionID ?? view);

  /** Waits for so many alerts, the bells beside them not counted where `but` says so. */
  async function raised(terminal: Terminal, count: number, but?: TerminalNotification["by"]) {
    const all = () => notificationsIn(terminal.output()).filter(({ by }) => by !== but);
    await waitFor(
      () => `${count} alerts; there are ${JSON.stringify(all())}`,
      () => (all().length >= count ? true : undefined),
    );
    return all();
  }

  /** Asked, reminded, answered by somebody else, done: three alerts. */
  async function story(session: string, terminal: Terminal, but?: TerminalNotification["by"]) {
    await host.prompt(session, "[bash echo hi]");
    const { requestID } = await host.nextAsk(session);
    await raised(terminal, 2, but);
    await host.reply(requestID, "once");
    return raised(terminal, 3, but);
  }

  test.each([
    ["kitty replaces an alert by its reminder and takes it back when it is answered", "kitty", inOsc99],
    ["a terminal without a known name does so too, when it says that it knows OSC 99", "stranger", inOsc99],
    ["Ghostty shows each", "ghostty", inOsc777],
    ["iTerm2 shows each in one line", "iTerm", inOsc9],
    ["xterm rings", "xterm", inBells],
    ["a terminal that only opencode's own renderer knows is left to that", "reporter", inOsc9],
  ] as const)("%s", async (_, kind, shown) => {
    const session = await newSession();
    const options = { kind: terminalKinds[kind], sessionID: session, env: inEnglish };
    const terminal = await attachTui(host.home, host.server.url, options);
    onTestFinished(async () => void (await terminal.end()));
    await isReady(terminal.pid, session);
    expect(await story(session, terminal)).toEqual(shown(host.titleOf(session)));
    expect(terminal.output().split(osc99Query)).toHaveLength(2); // asked once, whoever it is
    expect(terminal.output()).not.toContain("focus,report"); // the answer to our question is not typed into the prompt
  });

  async function inTmux(options: Omit<TmuxOptions, "set">, passthrough: "on" | "off") {
    const session = await newSession();
    const tmux = await startTmux(host.home, attaching(session), {
      set: { "allow-passthrough": passthrough },
      ...options,
    });
    onTestFinished(() => tmux.close());
    await isReady(await tmux.pid(), session);
    return { session, tmux };
  }

  test("tmux lets everything through to the terminal that shows it now, not to the one it was started in", async () => {
    const env = {
      ...inEnglish,
      GHOSTTY_RESOURCES_DIR: "/usr/share/ghostty",
      SSH_CONNECTION: "127.0.0.1 1 127.0.0.1 2",
    };
    const { session, tmux } = await inTmux({ env, kind: terminalKinds.kitty }, "on");
    const shown = await story(session, tmux.window, "bell");
    expect(shown).toEqual(inOsc99(host.titleOf(session)));
  });

  test("tmux that lets nothing through rings once for each", async () => {
    const { session, tmux } = await inTmux({ env: inEnglish, kind: terminalKinds.kitty }, "off");
    expect(await story(session, tmux.window)).toEqual(inBells());
  });

  test("screen lets everything through", async () => {
    const session = await newSession();
    const env = { ...host.home.env, ...inEnglish, KITTY_WINDOW_ID: "1", SCREENDIR: join(host.home.root, "screen") };
    mkdirSync(env.SCREENDIR, { mode: 0o700 });
    const argv = ["/usr/bin/screen", "-S", "own", "-c", "/dev/null", ...attaching(session)];
    const terminal = await openTerminal(argv, { cwd: host.home.project, env, kind: terminalKinds.kitty });
    onTestFinished(async () => {
      spawnSync("/usr/bin/screen", ["-S", "own", "-X", "quit"], { env }); // it outlives the terminal that shows it
      await terminal.end();
    });
    await waitUntil("opencode in screen", async () => (await views()).includes(session));
    expect(await story(session, terminal)).toEqual(inOsc99(host.titleOf(session)));
  });

  test("a terminal whose opencode was stopped shows nothing, also when it goes on: the next one does", async () => {
    const session = await newSession();
    const kind = terminalKinds.kitty;
    const next = await attachTui(host.home, host.server.url, { kind, env: inEnglish });
    onTestFinished(async () => void (await next.end()));
    await observer.knows(next.pid, { view: "home" });
    const shell = ["/bin/bash", "--norc", "--noprofile", "-i"];
    const first = await openTerminal(shell, { cwd: host.home.project, env: { ...host.home.env, ...inEnglish }, kind });
    onTestFinished(async () => void (await first.end()));
    first.write(`${attaching(session).map(shellWord).join(" ")}\r`);
    await waitUntil("opencode in the shell", async () => (await views()).includes(session));
    first.write("\x1a"); // Ctrl-Z
    await waitUntil("the shell in front", async () => (await views()).includes("other"));

    expect(await story(session, next)).toEqual(inOsc99(host.titleOf(session)));
    first.write("fg\r");
    await waitUntil("opencode in front again", async () => (await views()).includes(session));
    await work(host, session);
    await raised(first, 1);
    expect(notificationsIn(first.output())).toEqual([
      { by: "osc99", title: host.titleOf(session), body: texts[2], urgency: 1, end: "up" },
    ]);
  });
});
