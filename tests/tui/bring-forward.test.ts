import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bringForward } from "../../src/tui/bring-forward.ts";
import { waysForward } from "../../src/tui/ways-forward.ts";
import { needs } from "../rig/needs.ts";

const way = (program: string, does: "window" | "pane" | "both" = "window") => ({ program, args: [], does });

test("a program that raised the window is enough", async () => {
  expect(await bringForward([way("false"), way("true"), way("this-would-fail")], process.env)).toBe(true);
});
test("no program, or one that fails, says so and throws nothing", async () => {
  expect(await bringForward([], process.env)).toBe(false);
  expect(await bringForward([way("no-such-program-anywhere"), way("false")], process.env)).toBe(false);
});
test("turning to a pane alone does not raise a window", async () => {
  expect(await bringForward([way("true", "pane")], process.env)).toBe(false);
});

needs("tmux")("in a real tmux", () => {
  test("the pane that was called is the one in front afterwards", async () => {
    const folder = mkdtempSync(join(tmpdir(), "beckon-forward-"));
    const socket = join(folder, "s");
    const tmux = (...args: string[]) =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
    try {
      tmux("new-session", "-d", "-s", "w", "-x", "80", "-y", "24", "sleep 600");
      tmux("new-window", "-d", "-t", "w", "sleep 600");
      const pane = tmux("list-panes", "-t", "w:1", "-F", "#{pane_id}").trim();
      const front = () => tmux("display-message", "-p", "-t", "w", "#{pane_id}").trim();
      expect(front()).not.toBe(pane);
      await bringForward(waysForward({ TMUX: `${socket},1,0`, TMUX_PANE: pane }, "linux"), process.env);
      expect(front()).toBe(pane);
    } finally {
      tmux("kill-server");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
