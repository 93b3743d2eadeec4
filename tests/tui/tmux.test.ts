import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isPaneShown, terminalAroundTmux, tmuxClient, tmuxSocket, tmuxTellsFocus } from "../../src/tui/tmux.ts";
import { openTerminal } from "../rig/host/terminal.ts";
import { terminalKinds } from "../rig/host/terminal-kinds.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";

test("the socket is the first part of TMUX", () => {
  expect(tmuxSocket({ TMUX: "/tmp/tmux-1000/default,4711,0" })).toBe("/tmp/tmux-1000/default");
  expect(tmuxSocket({ TMUX: "" })).toBeUndefined();
  expect(tmuxSocket({})).toBeUndefined();
});

test("a tmux that does not answer says nothing about focus, nor about who is attached", async () => {
  expect(await tmuxTellsFocus("/nowhere/s")).toBeUndefined();
  expect(await isPaneShown("/nowhere/s", "%0")).toBe(true);
  expect(await terminalAroundTmux("/nowhere/s", "%0")).toBeUndefined();
});

needs("python3", "tmux")("a real tmux", () => {
  let [folder, socket] = ["", ""];
  const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "beckon-tmux-"));
    socket = join(folder, "s");
    tmux("new-session", "-d", "sleep 600");
  });
  afterEach(() => {
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  });

  const attach = (kind: keyof typeof terminalKinds = "xterm", session?: string) =>
    openTerminal(["/usr/bin/env", "tmux", "-S", socket, "attach", ...(session === undefined ? [] : ["-t", session])], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", LANG: "C.UTF-8" },
      kind: terminalKinds[kind],
    });

  test("tells whether it passes focus on", async () => {
    expect(await tmuxTellsFocus(socket)).toBe(false);
    tmux("set-option", "-g", "focus-events", "on");
    expect(await tmuxTellsFocus(socket)).toBe(true);
  });

  test("tells the process that shows it, and of none when nobody does", async () => {
    expect(await tmuxClient(socket)).toBeUndefined();
    const terminal = await attach();
    await waitUntil("the client to be known", async () => (await tmuxClient(socket, "%0")) === terminal.pid);
    await terminal.end();
    await waitUntil("it to be gone", async () => (await tmuxClient(socket)) === undefined);
  });

  test("tells when the terminal that showed a pane was killed, whoever looks at another session", async () => {
    tmux("new-session", "-d", "-s", "other", "sleep 600");
    expect(await isPaneShown(socket, "%0")).toBe(false);
    const window = await attach("xterm", "0");
    const elsewhere = await attach("xterm", "other");
    await waitUntil("the pane to be shown", () => isPaneShown(socket, "%0"));
    window.signal("SIGKILL");
    await window.exited;
    await waitUntil("nobody before it", async () => !(await isPaneShown(socket, "%0")));
    expect(await isPaneShown(socket, "%1")).toBe(true);
    await elsewhere.end();
  });

  test("says nothing of a terminal that was opened from a pane and took over its environment", async () => {
    expect(await isPaneShown(socket, "%0", "/dev/pts/elsewhere")).toBe(true);
    const tty = tmux("display-message", "-p", "-t", "%0", "#{pane_tty}").toString().trim();
    expect(await isPaneShown(socket, "%0", tty)).toBe(false);
  });

  test("tells which terminal shows it now, by its own name and by terminfo's", async () => {
    const around = () => terminalAroundTmux(socket, "%0");
    expect(await around()).toEqual([]);
    const first = await attach("kitty");
    await waitUntil("kitty's names", async () => (await around())?.join() === "kitty(0.42.1),xterm-kitty");
    await first.end();
    await waitUntil("nobody", async () => (await around())?.length === 0);
    const second = await attach();
    await waitUntil("xterm's names", async () => (await around())?.join() === "XTerm(379),xterm-256color");
    await second.end();
  });
});
