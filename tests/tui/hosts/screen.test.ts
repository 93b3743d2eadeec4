import { expect, test } from "vitest";
import { screenOf } from "../../../src/tui/hosts/screen.ts";
import { createFakeRenderer } from "./fake-renderer.ts";

test("what the terminal sends is seen before the host does, until nobody wants it any more", () => {
  const { renderer, sequence, listeners } = createFakeRenderer();
  const seen: string[] = [];
  const forget = screenOf(renderer).onSequence?.((text) => seen.push(text) > 0);
  expect(sequence("\x1b[I")).toEqual([true]);
  forget?.();
  expect(sequence("\x1b[O")).toEqual([]);
  expect(seen).toEqual(["\x1b[I"]);
  expect(listeners()).toBe(0);
});

test("a renderer that does not let us see it says so", () => {
  const { prependInputHandler: _, ...deaf } = createFakeRenderer().renderer;
  expect(screenOf(deaf).onSequence).toBeUndefined();
  expect(screenOf(undefined).onSequence).toBeUndefined();
});

test("what is written while another program has the terminal, or after it was given back, is not written and says so", () => {
  const { renderer, written } = createFakeRenderer();
  const screen = screenOf(renderer);
  expect(screen.write("x")).toBe(true);
  renderer.suspend();
  expect(screen.write("y")).toBe(false);
  renderer.resume();
  const gone = screenOf({ ...renderer, isDestroyed: true });
  expect([gone.write("z"), gone.notify("body", "title")]).toEqual([false, false]);
  expect(written).toEqual(["x"]);
});
