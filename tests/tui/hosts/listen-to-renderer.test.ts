import { describe, expect, test } from "vitest";
import type { Happening } from "../../../src/tui/focus-state.ts";
import { listenToRenderer } from "../../../src/tui/hosts/listen-to-renderer.ts";
import type { Renderer } from "../../../src/tui/hosts/renderer.ts";
import { createFakeRenderer } from "./fake-renderer.ts";

function setUp() {
  const fake = createFakeRenderer();
  const heard: Happening["type"][] = [];
  const { suspend, resume } = fake.renderer;
  const end = listenToRenderer({ renderer: fake.renderer, happened: ({ type }) => heard.push(type) });
  return { ...fake, heard, end, suspend, resume };
}

describe("a renderer is heard", () => {
  test("when the focus comes and goes, a key is pressed, something is pasted, the window is resized", () => {
    const { events, keyInput, heard } = setUp();
    events.emit("focus");
    events.emit("blur");
    keyInput.emit("keypress", {});
    keyInput.emit("paste", {});
    events.emit("resize");
    expect(heard).toEqual(["focus", "blur", "key", "life", "life"]);
  });

  test("when the terminal repeats itself and the renderer says nothing, and never keeps a sequence from others", () => {
    const { sequence, heard } = setUp();
    expect([sequence("\x1b[I"), sequence("\x1b[O"), sequence("a"), sequence("\x1b[?1004;2$y")].flat()).not.toContain(
      true,
    );
    expect(heard).toEqual(["focus", "blur"]);
  });

  test.each([
    [false, ["blur"]],
    [true, []],
    [null, []],
  ])("that already told what nobody of us heard (%s): only that it is not focused counts", (told, expected) => {
    const heard: string[] = [];
    const { renderer } = createFakeRenderer();
    listenToRenderer({
      renderer: { ...renderer, _terminalFocusState: told },
      happened: ({ type }) => heard.push(type),
    });
    expect(heard).toEqual(expected);
  });

  test("when the mouse moves or clicks, but not when the terminal answers a question", () => {
    const { stdin, heard } = setUp();
    stdin.emit("data", Buffer.from("\x1b[<35;10;20M"));
    stdin.emit("data", "\x1b[<0;10;20m");
    for (const answer of ["\x1b[?1004;2$y", "\x1b]11;rgb:00/00/00\x07", "\x1b[?62;c", "\x1b[24;80R", "x"])
      stdin.emit("data", Buffer.from(answer));
    expect(heard).toEqual(["life", "life"]);
  });

  test("before another program gets the terminal, and after it gave it back", () => {
    const { renderer, did, heard } = setUp();
    renderer.suspend();
    expect([...heard, ...did]).toEqual(["suspend", "suspend"]);
    renderer.resume();
    expect([heard, did]).toEqual([
      ["suspend", "resume"],
      ["suspend", "resume"],
    ]);
  });

  test("when a newer renderer comes back later", async () => {
    const heard: string[] = [];
    let back = () => {};
    const renderer: Renderer = {
      suspend: () => Promise.resolve(),
      resume: () =>
        new Promise<void>((done) => {
          back = done;
        }),
    };
    listenToRenderer({ renderer, happened: ({ type }) => heard.push(type) });
    const resumed = renderer.resume?.();
    expect(heard).toEqual([]);
    back();
    await resumed;
    expect(heard).toEqual(["resume"]);
  });

  test("no more after the end: no listener is left and its methods are its own again", () => {
    const { renderer, listeners, end, suspend, resume } = setUp();
    end();
    expect(listeners()).toBe(0);
    expect(renderer.suspend).toBe(suspend);
    expect(renderer.resume).toBe(resume);
  });

  test("and left alone where it was wrapped once more meanwhile", () => {
    const { renderer, end } = setUp();
    const theirs = () => {};
    renderer.suspend = theirs;
    end();
    expect(renderer.suspend).toBe(theirs);
  });

  test.each<[string, Renderer]>([
    ["nothing of what we know", {}],
    [
      "everything, broken",
      {
        on() {
          throw new Error("no");
        },
        get keyInput(): never {
          throw new Error("no");
        },
        get stdin(): never {
          throw new Error("no");
        },
        prependInputHandler() {
          throw new Error("no");
        },
      },
    ],
    ["frozen methods", Object.freeze({ suspend: () => {}, resume: () => {} })],
  ])("as far as it goes: with %s it is simply not heard", (_what, renderer) => {
    const end = listenToRenderer({ renderer, happened: () => {} });
    expect(end).not.toThrow();
  });
});
