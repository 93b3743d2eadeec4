import { describe, expect, test } from "vitest";
import { createTerminalAlerts, type TerminalAlertsDeps } from "../../src/tui/terminal-alerts.ts";
import type { Screen } from "../../src/tui/terminal-host.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

const alert = { key: "done:ses_a", title: "Fix login", body: "Work finished", urgency: "normal" as const };

function setUp(env: Record<string, string>, more: Partial<Screen> = {}, told: Partial<TerminalAlertsDeps> = {}) {
  const { host, did } = createFakeTerminal();
  const screen = { ...host.screen, ...more };
  const nothing = { answeredOsc99: () => false, askTmux: async () => undefined };
  return { did, alerts: createTerminalAlerts({ env, screen, ...nothing, ...told }) };
}

describe("an alert raised by the terminal", () => {
  test("is written in the terminal's own bytes", () => {
    const { alerts, did } = setUp({ TERM_PROGRAM: "ghostty" });
    expect(alerts.abilities()).toEqual({ notify: ["osc777"], ssh: false });
    expect(alerts.raise(alert)).toBe(true);
    expect(did).toEqual([["write", "\x1b]777;notify;Fix login;Work finished\x1b\\"]]);
  });

  test("is taken back where the terminal can, by the same key", () => {
    const { alerts, did } = setUp({ SSH_CONNECTION: "1 2 3 4" }, { terminalName: () => "kitty" });
    expect(alerts.abilities()).toEqual({ notify: ["osc99"], ssh: true });
    alerts.raise(alert);
    expect(alerts.takeBack(alert.key)).toBe(true);
    expect(String(did.at(-1)?.[1])).toContain("p=close");
    expect(setUp({ TERM_PROGRAM: "ghostty" }).alerts.takeBack(alert.key)).toBe(false);
  });

  test("is left to the renderer where we know no more than a bell, and is a bell where it knows no more either", () => {
    const knows = setUp({});
    expect(knows.alerts.raise(alert)).toBe(true);
    expect(knows.did).toEqual([["notify", "Fix login", "Work finished"]]);
    const neither = setUp({}, { notify: () => false });
    expect(neither.alerts.raise(alert)).toBe(true);
    expect(neither.did).toEqual([["write", "\x07"]]);
  });

  test("is ours to write where the terminal knows OSC 99: the renderer's own could not be taken back", () => {
    let answered = false;
    const { alerts, did } = setUp({}, { terminalName: () => "Novel 1.0" }, { answeredOsc99: () => answered });
    answered = true; // after the companion has started
    expect(alerts.abilities()).toEqual({ notify: ["osc99"], ssh: false });
    expect(alerts.raise(alert)).toBe(true);
    expect(alerts.takeBack(alert.key)).toBe(true);
    expect(did.map(([by]) => by)).toEqual(["write", "write"]);
  });

  test("is a bell, and not left to the renderer, where nothing else is shown whatever that believes", () => {
    const { alerts, did } = setUp({ TERM_PROGRAM: "Apple_Terminal" });
    expect(alerts.raise(alert)).toBe(true);
    expect(did).toEqual([["write", "\x07"]]);
  });

  test("is written for the terminal that shows tmux now, and for none while nobody does", async () => {
    let names: string[] = ["ghostty 1.2.0", "xterm-ghostty"];
    const env = { TMUX: "/tmp/tmux-0/default,1,0", KITTY_WINDOW_ID: "1" };
    const { alerts, did } = setUp(env, {}, { askTmux: async () => names });
    expect(alerts.abilities().notify).toEqual(["osc99"]);
    await alerts.prepare();
    expect(alerts.abilities().notify).toEqual(["osc777"]);
    expect(alerts.raise(alert)).toBe(true);
    expect(did).toEqual([["write", "\x1bPtmux;\x1b\x1b]777;notify;Fix login;Work finished\x1b\x1b\\\x1b\\\x07"]]);
    names = [];
    await alerts.prepare();
    expect(alerts.raise(alert)).toBe(false);
    expect(did).toHaveLength(1);
  });

  test("is cleaned again, whoever asked for it", () => {
    const evil = { ...alert, title: "a\x1b]0;b\x07c\u009cd;e", body: "\x1b[2Jx" };
    const written = setUp({ TERM_PROGRAM: "ghostty" });
    written.alerts.raise(evil);
    expect(written.did).toEqual([["write", "\x1b]777;notify;acd,e;x\x1b\\"]]);
    const handed = setUp({});
    handed.alerts.raise(evil);
    expect(handed.did).toEqual([["notify", "acd;e", "x"]]);
  });

  test("is not raised where nothing can be written: another program has the terminal, or it was given back", () => {
    const { alerts } = setUp({ TERM: "xterm-kitty" }, { write: () => false });
    expect(alerts.raise(alert)).toBe(false);
    expect(alerts.takeBack(alert.key)).toBe(false);
  });
});
