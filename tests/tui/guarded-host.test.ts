import { afterEach, beforeEach, expect, test } from "vitest";
import { tellBugsTo } from "../../src/shared/guard.ts";
import { guardedHost } from "../../src/tui/guarded-host.ts";
import type { PluginCalls } from "../../src/tui/plugin-calls.ts";
import type { Command, TerminalHost } from "../../src/tui/terminal-host.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

let bugs: string[] = [];
beforeEach(() => {
  tellBugsTo((line) => void bugs.push(line));
  bugs = [];
});
afterEach(() => tellBugsTo(() => {}));

const bug = (): never => {
  throw new Error("a bug of ours");
};

/** A host that calls back all it was given, at once, and does not catch. */
function callingBack(): TerminalHost {
  const calls: PluginCalls = {
    report: async () => undefined,
    gone: async () => {},
    raised: async () => {},
    ask: async () => undefined,
    onWish(_viewer, wished) {
      wished("{}");
      return () => {};
    },
  };
  const { host } = createFakeTerminal({
    listen(happened) {
      happened({ type: "key" });
      return () => {};
    },
    addCommands(commands) {
      for (const { run } of commands) run();
      return () => {};
    },
    calls,
  });
  const onDestroyed = (gone: () => void) => {
    gone();
    return () => {};
  };
  return { ...host, screen: { ...host.screen, onDestroyed, onCapabilities: onDestroyed } };
}

const command: Command = { name: "beckon.test", slash: "b", title: "t", description: "d", run: bug };

test.each<[string, (host: TerminalHost) => unknown]>([
  ["something that happened", (host) => host.listen(bug)],
  ["a command of the palette", (host) => host.addCommands([command])],
  ["a command that goes on by itself", (host) => host.addCommands([{ ...command, run: async () => bug() }])],
  ["a choice in a dialog", (host) => host.choose("t", [{ title: "o", value: 1 }], bug)],
  ["the terminal's abilities", (host) => host.screen.onCapabilities(bug)],
  ["the renderer's end", (host) => host.screen.onDestroyed(bug)],
  ["a wish by plugin call", (host) => host.calls?.onWish("v", bug)],
])("%s that meets a bug of ours throws nothing at the host, and is told", async (_what, call) => {
  call(guardedHost(callingBack()));
  await Promise.resolve();
  await Promise.resolve();
  expect(bugs).toHaveLength(1);
});

test("a sequence that meets one is left to the host", () => {
  let heard: ((sequence: string) => boolean) | undefined;
  const { host } = createFakeTerminal();
  const onSequence = (handler: (sequence: string) => boolean) => {
    heard = handler;
    return () => {};
  };
  guardedHost({ ...host, screen: { ...host.screen, onSequence } }).screen.onSequence?.(bug);
  expect(heard?.("x")).toBe(false);
  expect(bugs).toHaveLength(1);
});

test("what the host has not got is not made up", () => {
  const { host } = createFakeTerminal();
  const guarded = guardedHost(host);
  expect("calls" in guarded).toBe(false);
  expect("onSequence" in guarded.screen).toBe(false);
});
