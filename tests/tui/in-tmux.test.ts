import { expect, test } from "vitest";
import { firstState, type Happening, nextState } from "../../src/tui/focus-state.ts";
import { inTmux } from "../../src/tui/in-tmux.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";
import { settled } from "../fakes/settled.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

const at = { now: 0, wall: 1_000_000 };

function setUp(...answers: (boolean | undefined)[]) {
  const clock = createHandCrankedClock();
  const terminal = createFakeTerminal();
  const heard: Happening["type"][] = [];
  const tmux = { asked: 0, shown: async () => true };
  const tellsFocus = async () => {
    tmux.asked += 1;
    return answers.length > 1 ? answers.shift() : answers[0];
  };
  const host = inTmux(terminal.host, { clock, tellsFocus, isShown: () => tmux.shown() });
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

test("a tmux too busy to answer is asked again: the focus that was told meanwhile is not lost", async () => {
  const { clock, heard, tmux, happen } = setUp(undefined, undefined, true);
  happen({ type: "focus" });
  for (let look = 0; look < 4; look += 1) {
    await settled();
    clock.advance(5_000);
  }
  await settled();
  expect(heard).toEqual(["focus"]);
  expect(tmux.asked).toBe(3);
});

test("with focus-events off neither a blur nor a detaching makes a later key prove focus", async () => {
  const { clock, heard, tmux, happen } = setUp(false);
  const state = () =>
    heard.reduce((before, type) => (type === "view" ? before : nextState(before, { type }, at)), firstState(at));
  happen({ type: "blur" }); // tmux tells it when somebody detaches
  await settled();
  happen({ type: "focus" });
  happen({ type: "key" });
  tmux.shown = async () => false;
  clock.advance(20_000);
  await settled();
  happen({ type: "key" });
  expect(state().focus).toBe("unknown");
});

test("whoever left while tmux was asked is not there", async () => {
  const { heard, happen } = setUp(true);
  happen({ type: "focus" });
  happen({ type: "blur" });
  expect(heard).toEqual(["away"]);
  await settled();
  expect(heard).toEqual(["away", "blur"]);
});

test("whoever's connection breaks is away, told once; whoever attaches again is believed by focus or key", async () => {
  const { clock, heard, tmux, happen } = setUp(true);
  happen({ type: "focus" });
  await settled();
  const breaks = async () => {
    tmux.shown = async () => false;
    for (let look = 0; look < 4; look += 1) {
      clock.advance(5_000);
      await settled();
    }
    tmux.shown = async () => true;
  };
  await breaks();
  expect(heard).toEqual(["focus", "away"]);
  happen({ type: "key" });
  await breaks();
  expect(heard).toEqual(["focus", "away", "key", "away"]);
  happen({ type: "focus" });
  expect(heard).toEqual(["focus", "away", "key", "away", "focus"]);
});

test("whose connection broke while we were loaded anew is away: an earlier load may have left them looking", async () => {
  const { clock, heard, tmux } = setUp(true);
  tmux.shown = async () => false;
  clock.advance(5_000);
  await settled();
  expect(heard).toEqual(["away"]);
});

test("tmux is not asked who is there while nobody is taken to be", async () => {
  const { clock, tmux, happen } = setUp(true);
  happen({ type: "focus" });
  await settled();
  happen({ type: "blur" });
  let asked = 0;
  tmux.shown = async () => {
    asked += 1;
    return true;
  };
  clock.advance(60_000);
  expect(asked).toBe(0);
});

test("an answer of tmux that is older than the last key says nothing of who is there now", async () => {
  const { clock, heard, tmux, happen } = setUp(true);
  happen({ type: "key" });
  let answer = (_shown: boolean) => {};
  tmux.shown = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  clock.advance(5_000);
  happen({ type: "key" });
  answer(false);
  await settled();
  expect(heard).toEqual(["key", "key"]);
});

test("after the end nothing is told and no timer is left", async () => {
  const { clock, heard, tmux, end, happen } = setUp(true);
  happen({ type: "focus" });
  clock.advance(5_000);
  tmux.shown = async () => false;
  end();
  await settled();
  clock.advance(60_000);
  await settled();
  expect(heard).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
