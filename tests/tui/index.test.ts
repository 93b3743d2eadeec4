import { describe, expect, test } from "vitest";
import door from "../../src/tui/index.ts";

describe("the terminal door", () => {
  test("has what both lines look for, and nothing that makes 1.18 refuse it", () => {
    expect(Object.keys(door).sort()).toEqual(["id", "setup", "tui"]);
    expect(door.id).toBe("beckon.tui");
  });

  test("leaves quietly when called with something that is no terminal's context", async () => {
    expect(await door.setup({})).toBeUndefined();
    expect(await door.setup({ client: {} })).toBeUndefined();
  });

  test("starts and ends in a host that has nothing, of either line", async () => {
    let dispose = () => {};
    await door.tui({ lifecycle: { onDispose: (end) => (dispose = end) } });
    dispose();
    dispose();
    const end = await door.setup({ client: {}, ui: {} });
    end?.();
    expect(process.listenerCount("exit")).toBeLessThan(10);
  });
});
