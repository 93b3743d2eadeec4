import { describe, expect, test } from "vitest";
import { startFocusMode, switchOff, switchOn } from "../../src/tui/focus-mode.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

function setUp({ hostReports = false, hearsFocus = true } = {}) {
  const clock = createHandCrankedClock();
  const written: string[] = [];
  let deaf = 0;
  const screen = { hostReports, suspended: false, changed: () => {}, destroyed: () => {} };
  const mode = startFocusMode({
    clock,
    screen: {
      hearsFocus,
      terminalName: () => undefined,
      hostReportsFocus: () => screen.hostReports,
      isSuspended: () => screen.suspended,
      write: (bytes) => written.push(bytes) > 0,
      notify: () => false,
      onCapabilities(changed) {
        screen.changed = changed;
        return () => {};
      },
      onDestroyed(gone) {
        screen.destroyed = gone;
        return () => {};
      },
    },
    writeLast: (bytes) => written.push(`last ${bytes}`),
    onDeaf: () => {
      deaf += 1;
    },
  });
  return { clock, written, screen, mode, deaf: () => deaf };
}

describe("focus reports", () => {
  test("are switched on when the host had its time and did not, and off again at the end, once", () => {
    const { clock, written, mode, deaf } = setUp();
    expect(written).toEqual([]);
    clock.advance(1_500);
    expect([written, deaf()]).toEqual([[switchOn], 0]);
    mode.end();
    mode.end();
    expect([written, deaf()]).toEqual([[switchOn, `last ${switchOff}`], 1]);
  });

  test("are the host's where it switched them on: nothing is ever written", () => {
    const { clock, written, mode, screen, deaf } = setUp({ hostReports: true });
    clock.advance(60_000);
    mode.suspend();
    mode.resume();
    screen.destroyed();
    mode.end();
    expect([written, deaf()]).toEqual([[], 0]);
  });

  test("become the host's when the terminal answered it late", () => {
    const { clock, written, mode, screen } = setUp();
    clock.advance(1_500);
    screen.hostReports = true;
    screen.changed();
    mode.end();
    expect(written).toEqual([switchOn]);
  });

  test("are off while another program has the terminal", () => {
    const { clock, written, mode } = setUp();
    clock.advance(1_500);
    mode.suspend();
    mode.resume();
    expect(written).toEqual([switchOn, switchOff, switchOn]);
  });

  test("are not switched on, nor off, in a terminal that is suspended; only when it comes back", () => {
    const { clock, written, mode, screen } = setUp();
    screen.suspended = true;
    clock.advance(60_000);
    expect(written).toEqual([]);
    screen.suspended = false;
    mode.resume();
    expect(written).toEqual([switchOn]);
    mode.suspend();
    screen.suspended = true;
    mode.end();
    expect(written).toEqual([switchOn, switchOff]);
  });

  test("are off as soon as the renderer gives the terminal back, whatever comes later", () => {
    const { clock, written, screen, mode } = setUp();
    clock.advance(1_500);
    screen.destroyed();
    expect(written.at(-1)).toBe(`last ${switchOff}`);
    mode.end();
    mode.resume();
    expect(written).toHaveLength(2);
  });

  test("are not asked for where nobody would tell us of them", () => {
    const { clock, written, mode } = setUp({ hearsFocus: false });
    clock.advance(60_000);
    mode.end();
    expect(written).toEqual([]);
  });

  test("stay untouched when the terminal part ends before it had to do anything", () => {
    const { clock, written, mode } = setUp();
    mode.end();
    clock.advance(60_000);
    expect(written).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });
});
