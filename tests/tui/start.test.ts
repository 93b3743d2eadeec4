import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startV1 } from "../../src/tui/hosts/start-v1.ts";
import { createFakeRenderer } from "./hosts/fake-renderer.ts";

beforeEach(() => {
  for (const name of ["BECKON_STATE_DIR", "BECKON_RUNTIME_DIR"]) vi.stubEnv(name, "/nowhere");
  for (const name of ["TMUX", "BECKON_RELAY"]) vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

/** A host that loads us; the answer to its clean-up. */
function load(renderer: object): () => void {
  const ends: (() => void)[] = [];
  startV1({ renderer, lifecycle: { onDispose: (end) => ends.push(end) } });
  return () => {
    for (const end of ends) end();
  };
}

test("a load that nobody ended makes room for the next: no terminal is listened to twice", () => {
  const { renderer, listeners } = createFakeRenderer();
  const before = listeners();
  const endFirst = load(renderer);
  const once = listeners();
  expect(once).toBeGreaterThan(before);
  const endSecond = load(renderer);
  expect(listeners()).toBe(once);
  endFirst(); // late, and nothing of the second goes with it
  expect(listeners()).toBe(once);
  endSecond();
  expect(listeners()).toBe(before);
});
