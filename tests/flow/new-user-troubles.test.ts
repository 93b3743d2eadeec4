import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { oldHost } from "../rig/host/old-host.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { command, type Finding } from "./new-user/newcomer.ts";
import { type RunningNewcomer, runningNewcomer } from "./new-user/running-newcomer.ts";
import { startTmux } from "./v1/tmux.ts";

const stories = needs("dbus-daemon", "dunst", "espeak-ng", "notify-send", "python3", "setpriv", "tmux", "Xvfb");

stories("with the real opencode running and one thing broken the doctor names it, and nothing else:", () => {
  let person: RunningNewcomer;
  beforeAll(async () => {
    person = await runningNewcomer();
  });
  afterAll(() => person?.end());
  /** A story that failed leaves nothing broken for its second telling. */
  beforeEach(() => person.heal());

  const finding =
    (level: Finding["level"]) =>
    (check: string, symptom: string | RegExp, cause: string, fix: string, paste?: string): object => {
      const said = typeof symptom === "string" ? symptom : expect.stringMatching(symptom);
      return { check, level, symptom: said, cause, fix, ...(paste === undefined ? {} : { paste }) };
    };
  const [broken, advice] = [finding("broken"), finding("advice")];

  const expectNothing = async () => expect(await person.troubles()).toEqual([]);

  /** Does what a finding says: each of these lines is meant to be pasted as it stands. */
  async function paste(line: string, env: Record<string, string> = {}) {
    expect(await person.paste(line, env)).toMatchObject({ code: 0 });
  }

  test("nothing at all", expectNothing);

  test("the notification daemon is gone", async () => {
    await person.desktop.daemon.end();
    expect(await person.troubles()).toEqual([
      broken(
        "banner",
        "no banner can be shown: no notification daemon runs",
        "the session bus is there, and nobody on it shows notifications",
        "start the one of your desktop, or install one (Wayland: mako)",
        "sudo apt install dunst && dunst &",
      ),
    ]);
    await person.desktop.daemon.restart();
    await expectNothing();
  });

  test("a key of the configuration is misspelt", async () => {
    const path = person.home.beckonConfig;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{\n  "alerts": {\n    "dnoe": { "mode": "both" }\n  }\n}\n', { mode: 0o600 });
    const expected =
      "expected one of the keys pause, done, error, detail, sound, focus, terminal, quietHours, exclude, reminder, push";
    expect(await person.troubles()).toEqual([
      broken(
        "config",
        `${path} is not in force`,
        `alerts.dnoe (line 3, column 5): ${expected}, found an unknown key; did you mean "done"?`,
        "repair that; until then the last valid settings hold, or the defaults",
        "beckon config check",
      ),
    ]);
    expect((await person.paste("beckon config check")).stdout).toContain(`${path}:3:5: alerts.dnoe`);
    writeFileSync(path, '{ "alerts": { "done": { "mode": "both" } } }');
    await expectNothing();
  });

  test("tmux passes no focus on", async () => {
    const argv = [hostProgram(), "attach", person.url];
    const tmux = await startTmux(person.home, argv, { set: { "focus-events": "off" } });
    onTestFinished(() => tmux.close());
    await person.sees("unknown, shows the start screen");
    const env = { TMUX: (await tmux.run("display-message", "-p", "#{socket_path},#{pid},0")).trim() };
    const focusOn = "tmux set-option -g focus-events on\necho 'set -g focus-events on' >> ~/.tmux.conf";
    const passOn = "tmux set-option -g allow-passthrough on\necho 'set -g allow-passthrough on' >> ~/.tmux.conf";
    expect(await person.troubles(env)).toEqual([
      advice(
        "focus",
        /^terminal .* never told whether it has the focus, so it silences nothing$/,
        "tmux passes no focus on",
        "see tmux below",
      ),
      broken(
        "tmux",
        "tmux does not tell opencode when you go to another pane or window",
        "its option focus-events is off, as it comes",
        "switch it on now, and in ~/.tmux.conf for the next time; then detach and attach again: only then does tmux ask",
        focusOn,
      ),
      advice(
        "tmux",
        "alerts raised by the terminal itself do not get through tmux",
        "its option allow-passthrough is off, as it comes; it matters over ssh and without a desktop",
        "switch it on now, and in ~/.tmux.conf for the next time",
        passOn,
      ),
    ]);
    await paste(`${focusOn}\n${passOn}`, env);
    await tmux.run("detach-client");
    const again = await tmux.attach();
    await waitUntil("a tmux that wants to know the window's focus", () => again.reportsFocus());
    again.blur();
    again.focus();
    await person.sees("focused, shows the start screen");
    expect(await person.troubles(env)).toEqual([]);
  });

  test("opencode's own attention is on", async () => {
    const tui = person.file("tui.json");
    await paste(`sed -i '1a "attention": { "enabled": true },' '${tui}'`);
    const mend = "beckon install --native-attention-off";
    expect(await person.troubles()).toEqual([
      broken(
        "doubles",
        "opencode calls you too, beside beckon",
        `its own attention is on in ${tui}`,
        "switch it off there, by hand or by beckon",
        mend,
      ),
    ]);
    await paste(mend);
    await expectNothing();
  });

  test("opencode is 1.17", async () => {
    const { version, program } = oldHost(join(person.home.root, "old"));
    person.puts("opencode", program);
    expect(await person.troubles()).toEqual([
      broken(
        "opencode",
        `opencode ${version} is too old for beckon`,
        `beckon needs opencode 1.18 or newer; found ${join(person.bin, "opencode")}`,
        "update opencode, then start it again",
        "opencode upgrade",
      ),
    ]);
    person.puts("opencode", hostProgram());
    await expectNothing();
  });

  test("the plugin is listed twice", async () => {
    const { installed } = person.packed;
    await paste(`opencode plugin ${installed}`);
    const mend = "beckon uninstall && beckon uninstall && beckon install";
    const here = join(person.home.project, ".opencode/opencode.json");
    expect(await person.troubles()).toEqual([
      broken(
        "plugin",
        "beckon is listed more than once",
        `${person.file("opencode.json")} («plugin»: ${installed}), ${here} («plugin»: ${installed})`,
        "keep one of them; install moves and merges what stands in one file",
        mend,
      ),
    ]);
    await paste(mend);
    await expectNothing();
  });

  test("the terminal part is missing", async () => {
    rmSync(person.file("tui.json"));
    const mend = "beckon install --line 1";
    expect(await person.troubles()).toEqual([
      broken(
        "focus",
        "beckon does not know where you look: every alert is delivered",
        "no tui.json lists the terminal part; opencode 1.x does not take it from opencode.json",
        "list it, then start opencode again",
        mend,
      ),
    ]);
    await paste(mend);
    const terminal = await attachTui(person.home, person.url);
    onTestFinished(() => terminal.end().then(() => undefined));
    await person.sees("unknown, shows the start screen");
    terminal.focus();
    await person.sees("focused, shows the start screen");
    await expectNothing();
  });

  test("the runtime folder is read-only", async () => {
    const folder = join(person.env.XDG_RUNTIME_DIR ?? "", "opencode-beckon");
    chmodSync(folder, 0o500);
    const mend = `chmod u+rwx ${folder}`;
    expect(await person.troubles()).toEqual([
      broken(
        "folders",
        "terminals may not find a running opencode",
        `${folder} cannot be written`,
        "repair that",
        mend,
      ),
    ]);
    await paste(mend);
    await expectNothing();
  });

  test("notify-send is all there is, because the package was copied without its dependencies", async () => {
    person.puts("beckon", join(person.packed.copy, command));
    await paste("beckon install");
    const fix = ["install beckon with its dependencies", "npm install --global opencode-beckon"] as const;
    expect(await person.troubles()).toEqual([
      advice(
        "running",
        /^opencode with pid \d+ has beckon in it, and cannot be asked how it is$/,
        "ws, by which this command speaks to it, is not installed beside the command",
        ...fix,
      ),
      advice(
        "banner",
        "banners go by notify-send only: a click does nothing, and an old one cannot be replaced",
        "dbus-native, by which the desktop is spoken to directly, is not installed beside beckon",
        ...fix,
      ),
    ]);
    expect((await person.paste("beckon test --channel banner")).stdout).toContain("notify-send");
    person.puts("beckon", join(person.packed.installed, command));
    await paste("beckon install");
    await expectNothing();
  });

  test("XDG_RUNTIME_DIR leads nowhere", async () => {
    const wrong = "/run/user/4294967294";
    expect(await person.troubles({ XDG_RUNTIME_DIR: wrong })).toEqual([
      broken(
        "banner",
        "no banner can be shown: there is no session bus",
        `no bus: connect ENOENT ${wrong}/bus`,
        "run opencode inside your desktop session; where the bus is there and its address got lost:",
        "export XDG_RUNTIME_DIR=/run/user/$(id -u) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus",
      ),
      broken(
        "folders",
        "XDG_RUNTIME_DIR does not lead to a folder of yours",
        `${wrong} does not exist; the session bus is looked for there, too`,
        "set it to the folder your login made, and start opencode from such a shell",
        "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
      ),
    ]);
    await expectNothing();
  });
});
