import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Multiplexer, raiseBytes } from "../../src/shared/terminal-notification.ts";
import type { TerminalProtocol } from "../../src/shared/terminal-protocol.ts";
import { cleanBody, cleanTitle } from "../../src/shared/text.ts";
import { hostileTexts } from "../contract/hostile-texts.ts";
import type { Desktop } from "../rig/desktop/desktop.ts";
import { withDesktop } from "../rig/desktop/with-desktop.ts";
import { startChild } from "../rig/host/child.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";

const texts = Object.values(hostileTexts);

const bytesOf = (given: readonly { title: string; body: string }[], by: TerminalProtocol, through?: Multiplexer) =>
  given.map((text, at) => raiseBytes({ ...text, key: `k${at}`, urgency: "normal" }, by, through)).join("");

/** Inside tmux: waits until kitty shows it. What comes earlier has no terminal to go through to. */
const attached = 'while [ -n "$TMUX" ] && [ -z "$(tmux list-clients)" ]; do sleep 0.1; done';

/** A real kitty in which something prints these bytes and stays. */
async function inKitty<T>(
  desktop: Desktop,
  bytes: string,
  within: readonly string[],
  use: () => Promise<T>,
): Promise<T> {
  const file = join(desktop.folder, "bytes");
  writeFileSync(file, bytes);
  const shown = [...within, "sh", "-c", `${attached}; cat "$1"; exec sleep 120`, "sh", file];
  const env = { ...desktop.env, LIBGL_ALWAYS_SOFTWARE: "1", SCREENDIR: join(desktop.folder, "run") };
  const child = startChild("kitty", ["--config", "NONE", ...shown], { cwd: desktop.folder, env });
  try {
    return await use();
  } finally {
    await child.end();
  }
}

const raised = (desktop: Desktop, count: number) =>
  desktop.until(`${count} to be raised by kitty`, (all) => {
    const kittys = all.filter(({ app, id }) => app === "kitty" && id !== undefined);
    return kittys.length >= count ? kittys.map(({ title, body }) => [title, body]) : undefined;
  });

const oneLine = (text: string) => text.replaceAll(";", ",").replaceAll("\n", " ");

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "kitty",
)("a real kitty", () => {
  test("raises every hostile text as it was written, given OSC 99", async () => {
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf(texts, "osc99"), [], async () => {
        const expected = texts.map(({ title, body }) => [cleanTitle(title), cleanBody(body)]);
        expect(await raised(desktop, texts.length)).toEqual(expected);
      }),
    );
  });

  test("raises every hostile text in one line without semicolons, given OSC 777", async () => {
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf(texts, "osc777"), [], async () => {
        const expected = texts.map(({ title, body }) => [oneLine(cleanTitle(title)), oneLine(cleanBody(body))]);
        expect(await raised(desktop, texts.length)).toEqual(expected);
      }),
    );
  });

  test("raises a text that looks like progress as a text, given OSC 9", async () => {
    const [progress, marker] = [hostileTexts["ConEmu command (O48)"], { title: "Marker", body: "" }];
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf([progress, marker], "osc9"), [], async () => {
        const shown = (await raised(desktop, 2)).map((banner) => banner.join(" "));
        expect(shown[0]).toContain("opencode: 4;1;50 percent done: 9;9;/etc");
        expect(shown[1]).toContain("Marker");
      }),
    );
  });
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "kitty",
  "tmux",
)("tmux in a real kitty", () => {
  const some = texts.slice(0, 6);
  const socketIn = ({ folder }: Desktop) => join(folder, "tmux");
  const bellIn = ({ folder }: Desktop) => join(folder, "bell");

  /** A tmux of its own that tells of a bell by a file. */
  function tmux(desktop: Desktop, passthrough: "on" | "off"): string[] {
    const config = join(desktop.folder, "tmux.conf");
    const bell = `set -g bell-action any\nset-hook -g alert-bell 'run-shell "touch ${bellIn(desktop)}"'`;
    writeFileSync(config, `set -g allow-passthrough ${passthrough}\n${bell}\n`);
    return ["tmux", "-S", socketIn(desktop), "-f", config, "new-session"];
  }

  test.each(["osc99", "osc777"] as const)("lets %s through where passthrough is on, whatever the text", async (by) => {
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf(some, by, "tmux"), tmux(desktop, "on"), async () => {
        const clean = some.map(({ title, body }) => [cleanTitle(title), cleanBody(body)]);
        expect(await raised(desktop, some.length)).toEqual(
          by === "osc99" ? clean : clean.map((one) => one.map(oneLine)),
        );
        await desktop.run("tmux", "-S", socketIn(desktop), "kill-server");
      }),
    );
  });

  test("rings its bell and shows no rubbish where passthrough is off", async () => {
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf(some, "osc99", "tmux"), tmux(desktop, "off"), async () => {
        await waitUntil("the bell", () => existsSync(bellIn(desktop)));
        const pane = await desktop.run("tmux", "-S", socketIn(desktop), "capture-pane", "-p");
        expect(pane.trim()).toBe("");
        await desktop.settled();
        expect(desktop.banners()).toEqual([]);
        await desktop.run("tmux", "-S", socketIn(desktop), "kill-server");
      }),
    );
  });
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "kitty",
  "screen",
)("screen in a real kitty", () => {
  test.each(["osc99", "osc777"] as const)("lets %s through, whatever the text", async (by) => {
    const some = texts.slice(0, 6);
    await withDesktop({}, (desktop) =>
      inKitty(desktop, bytesOf(some, by, "screen"), ["screen", "-S", "own", "-c", "/dev/null"], async () => {
        const clean = some.map(({ title, body }) => [cleanTitle(title), cleanBody(body)]);
        expect(await raised(desktop, some.length)).toEqual(
          by === "osc99" ? clean : clean.map((one) => one.map(oneLine)),
        );
        await desktop.run("env", `SCREENDIR=${join(desktop.folder, "run")}`, "screen", "-S", "own", "-X", "quit");
      }),
    );
  });
});
