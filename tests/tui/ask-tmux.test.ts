import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { askTmux } from "../../src/tui/ask-tmux.ts";
import { openTerminal } from "../rig/host/terminal.ts";
import { terminalKinds } from "../rig/host/terminal-kinds.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";

test("without tmux there is nothing to ask", async () => {
  expect(await askTmux({})).toBeUndefined();
  expect(await askTmux({ TMUX: "" })).toBeUndefined();
});

needs("python3", "tmux")("a real tmux", () => {
  let folder: string;
  const env = () => ({ TMUX: `${join(folder, "socket")},1,0`, TMUX_PANE: "%0" });
  const tmux = (...args: string[]) => execFileSync("tmux", ["-S", join(folder, "socket"), "-f", "/dev/null", ...args]);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "beckon-tmux-"));
    tmux("new-session", "-d", "sleep 1000");
  });
  afterAll(() => {
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  });

  async function attach(kind: keyof typeof terminalKinds) {
    const argv = ["/usr/bin/env", "tmux", "-S", join(folder, "socket"), "attach"];
    const here = { cwd: folder, env: { PATH: process.env.PATH ?? "" }, kind: terminalKinds[kind] };
    const terminal = await openTerminal(argv, here);
    onTestFinished(async () => void (await terminal.end()));
    return terminal;
  }

  test("knows no terminal while nobody is attached", async () => {
    expect(await askTmux(env())).toEqual([]);
  });

  test("tells the terminal that shows it, by its own name and by terminfo's, and the next one after a change", async () => {
    const first = await attach("kitty");
    await waitUntil("kitty's name", async () => (await askTmux(env()))?.join() === "kitty(0.42.1),xterm-kitty");
    await first.end();
    await waitUntil("nobody", async () => (await askTmux(env()))?.length === 0);
    await attach("xterm");
    await waitUntil("xterm's name", async () => (await askTmux(env()))?.join() === "XTerm(379),xterm-256color");
  });

  test("that is gone tells nothing", async () => {
    expect(await askTmux({ TMUX: `${join(folder, "elsewhere")},1,0` })).toBeUndefined();
  });
});
