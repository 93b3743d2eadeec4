import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, pack } from "./packed.ts";
import { type Runtime, runScript, runtimes } from "./runtimes.ts";

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

const server = { id: "beckon", server: "function", setup: "function" };
const terminal = { id: "beckon.tui", tui: "function", setup: "function" };

describe.each(runtimes())("on $name the package", (runtime) => {
  test("opens by its export names, each with the shape both host lines accept", async () => {
    const doors = await open(runtime, packed.project, [
      "opencode-beckon/server",
      "opencode-beckon/tui",
      "opencode-beckon",
    ]);
    expect(doors).toEqual([server, terminal, server]);
  });

  test("opens from a folder copied without node_modules", async () => {
    const doors = await open(runtime, packed.copy, [
      "./index.js",
      "./tui.js",
      "./dist/server/index.js",
      "./dist/tui/index.js",
    ]);
    expect(doors).toEqual([server, terminal, server, terminal]);
  });

  test("reads its optional parts where they are installed", async () => {
    const source = `const [ws, bus] = await Promise.all([import("ws"), import("dbus-native")]);
      console.log(typeof ws.WebSocketServer, typeof (bus.default ?? bus).sessionBus);`;
    const script = join(packed.project, "optional.mjs");
    writeFileSync(script, source);
    expect((await runScript(runtime, script, packed.project)).stdout.trim()).toBe("function function");
  });
});

/** The default export of each door: every key with its text, or else the type of its value. */
async function open(runtime: Runtime, folder: string, doors: string[]): Promise<unknown> {
  const script = join(folder, "open.mjs");
  const source = `const word = (value) => (typeof value === "string" ? value : typeof value);
    const shape = (object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, word(value)]));
    const shapes = [];
    for (const door of ${JSON.stringify(doors)}) {
      const module = await import(door);
      if (Object.keys(module).join() !== "default") throw new Error("more than a default export in " + door);
      shapes.push(shape(module.default));
    }
    console.log(JSON.stringify(shapes));`;
  writeFileSync(script, source);
  const { stdout, stderr } = await runScript(runtime, script, folder);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}
