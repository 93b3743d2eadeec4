import { expect, test } from "vitest";
import type { Happening } from "../../src/tui/focus-state.ts";
import { inTmux } from "../../src/tui/in-tmux.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";
import { settled } from "../fakes/settled.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

function setUp(focusEvents: boolean) {
  const clock = createHandCrankedClock();
  const terminal = createFakeTerminal();
  const [heard, tmux]: [Happening["type"][], { asked: number; attached: boolean }] = [[], { asked: 0, attached: true }];
  const tellsFocus = async () => {
    tmux.asked += 1;
    return focusEvents;
  };
  const host = inTmux(terminal.host, { clock, tellsFocus, isAttached: () => tmux.attached });
  const end = host.listen(({ type }) => heard.push(type));
  return { clock, heard, tmux, end, happen: terminal.happen };
}

test("with focus-events off the focus that attaching brings is not believed: no blur would ever follow it", async () => {
  const { heard, happen } = setUp(false);
  happen({ type: "focus" });
  happen({ type: "key" });
  await settled();
  expect(heard).toEqual(["key"]);
});

test("with focus-events on focus is told, and tmux is asked once", async () => {
  const { heard, tmux, happen } = setUp(true);
  happen({ type: "focus" });
  await settled();
  happen({ type: "blur" });
  happen({ type: "focus" });
  expect(heard).toEqual(["focus", "blur", "focus"]);
  expect(tmux.asked).toBe(1);
});

test("whoever left while tmux was asked is not there", async () => {
  const { heard, happen } = setUp(true);
  happen({ type: "focus" });
  happen({ type: "blur" });
  await settled();
  expect(heard).toEqual(["blur"]);
});

test("a connection that breaks is a blur, told once; whoever attaches again is believed by focus or key", async () => {
  const { clock, heard, tmux, happen } = setUp(true);
  happen({ type: "focus" });
  await settled();
  tmux.attached = false;
  clock.advance(20_000);
  expect(heard).toEqual(["focus", "blur"]);
  tmux.attached = true;
  clock.advance(20_000);
  happen({ type: "focus" });
  expect(heard).toEqual(["focus", "blur", "focus"]);
});

test("after the end nothing is told and no timer is left", async () => {
  const { clock, heard, tmux, end, happen } = setUp(true);
  happen({ type: "focus" });
  end();
  tmux.attached = false;
  await settled();
  clock.advance(60_000);
  expect(heard).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
