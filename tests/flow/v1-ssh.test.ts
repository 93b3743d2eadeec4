import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { isolatedHome } from "../rig/host/isolated-home.ts";
import { awaitLine, readJournal } from "../rig/host/journal.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { writeProject } from "../rig/host/project.ts";
import { startRealHost } from "../rig/host/real-host.ts";
import { type SshServer, startSshServer } from "../rig/host/ssh-server.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { printedBytes, type Terminal } from "../rig/host/terminal.ts";
import { terminalKinds } from "../rig/host/terminal-kinds.ts";
import { notificationsIn } from "../rig/host/terminal-notifications.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";
import { inWords } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";
import { observe } from "./v1/observer.ts";
import { reaches, seenUnder } from "./v1/shown.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
  "python3",
  "ssh",
  "sshd",
)("somebody who works on another machine by ssh", () => {
  let ssh: SshServer;
  let desktop: Desktop;

  beforeAll(async () => {
    [ssh, desktop] = [await startSshServer(), await startDesktop()];
  });
  afterAll(async () => {
    await ssh?.close();
    await desktop?.close();
  });

  /** A plain opencode in a login, server part and all, seen through a kitty here. */
  async function logIn(over: Record<string, string>) {
    const [home, model] = [isolatedHome(), await startModel()];
    onTestFinished(async () => {
      await model.close();
      home.remove();
    });
    const plugins = [packageRoot()];
    writeProject(home, { modelURL: model.baseURL, plugins, tuiPlugins: plugins, permission: { bash: "ask" } });
    const env = { ...home.env, ...inEnglish, ...over };
    const terminal = await ssh.login([hostProgram()], { cwd: home.project, env, kind: terminalKinds.kitty });
    onTestFinished(async () => void (await terminal.end()));
    const observer = await observe(home);
    onTestFinished(observer.close);
    await observer.knows(terminal.pid, { view: "home" });
    return { home, terminal, observer };
  }

  const ends = (terminal: Terminal) => notificationsIn(terminal.output()).map(({ end }) => end);
  const ending = (terminal: Terminal, ...wanted: string[]) =>
    waitUntil(
      () => `${wanted} in the terminal; there is ${JSON.stringify(notificationsIn(terminal.output()))}`,
      () => ends(terminal).join() === wanted.join(),
    );

  test.each([
    { where: "without a desktop", reachable: () => ({}) },
    { where: "whose own desktop shows banners to nobody", reachable: () => reaches(desktop) },
  ])("is called where they sit, once, from a machine $where", async ({ reachable }) => {
    const { home, terminal, observer } = await logIn(reachable());
    const decided = (words: string) => awaitLine(home.beckonState, (line) => inWords(line) === words);

    terminal.focus();
    await observer.knows(terminal.pid, { focus: "focused" });
    terminal.write("[bash echo hi]");
    await printedBytes(terminal, "echo hi]");
    terminal.write("\r");
    await decided("pause deferred attended");
    expect(ends(terminal)).toEqual([]);

    terminal.blur();
    expect((await decided("pause delivered left")).channels).toEqual(["terminal"]);
    await ending(terminal, "up");

    await printedBytes(terminal, "Allow once");
    terminal.write("\r"); // a key is a sign of life, and the answer
    terminal.blur();
    await ending(terminal, "taken back");
    expect((await decided("done delivered unattended")).channels).toEqual(["terminal"]);
    await ending(terminal, "taken back", "up");

    terminal.focus();
    await decided("done withdrawn seen");
    await ending(terminal, "taken back", "taken back");
    const { title } = await decided("done withdrawn seen");
    expect(notificationsIn(terminal.output())).toEqual([
      { by: "osc99", title, body: "A permission waits for you · bash", urgency: 2, end: "taken back" },
      { by: "osc99", title, body: expect.stringMatching(/^Work finished/), urgency: 1, end: "taken back" },
    ]);
    expect(readJournal(home.beckonState).filter(({ outcome }) => outcome === "delivered")).toHaveLength(2);
    await desktop.settled();
    expect(desktop.banners()).toEqual([]);
  });

  test("is called there and on the desktop where opencode runs, and not twice in either place", async () => {
    const plugins = [packageRoot()];
    const env = { ...inEnglish, ...reaches(desktop) };
    const host = await startRealHost({ plugins, tuiPlugins: plugins, env });
    onTestFinished(() => host.close());
    const session = await host.newSession({ ask: ["bash"] });
    const attach = [hostProgram(), "attach", host.server.url, "--session", session];
    const login = { cwd: host.home.project, env: { ...host.home.env, ...inEnglish }, kind: terminalKinds.kitty };
    const terminal = await ssh.login(attach, login);
    onTestFinished(async () => void (await terminal.end()));
    const observer = await observe(host.home);
    onTestFinished(observer.close);
    await observer.knows(terminal.pid, { view: "session", sessionID: session });

    await host.prompt(session, "[bash echo hi]");
    const { requestID } = await host.nextAsk(session);
    const told = await host.decided((line) => inWords(line) === "pause delivered unattended");
    expect(told.channels).toEqual(["banner", "terminal"]);
    await host.reply(requestID, "once");
    await host.decided((line) => inWords(line) === "done delivered unattended");
    await ending(terminal, "taken back", "up");
    await desktop.settled();
    expect(seenUnder(desktop, [host.titleOf(session)]).map(({ end }) => end)).toEqual(["taken back", "up"]);
  });
});
