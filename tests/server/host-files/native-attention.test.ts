import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findNativeAttention } from "../../../src/server/host-files/native-attention.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon-attention-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const project = () => join(home, "project");
const globalFile = (name: string) => join(home, ".config/opencode", name);
const find = (line: "v1" | "v2", directories = [project()]) =>
  findNativeAttention({ env: {}, platform: "linux", home }, line, directories);

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const on = '{ "attention": { "enabled": true } } // loud';
const off = '{ "attention": { "enabled": false } }';

describe("opencode's own attention", () => {
  test("is off as it comes, on either line", async () => {
    expect(await find("v1")).toBeUndefined();
    expect(await find("v2")).toBeUndefined();
    write(globalFile("tui.json"), '{ "theme": "system" }');
    write(globalFile("cli.json"), "{ not JSON");
    expect(await find("v1")).toBeUndefined();
    expect(await find("v2")).toBeUndefined();
  });

  test("of 1.18 is on by tui.json, and names the line that ends it", async () => {
    const path = write(globalFile("tui.jsonc"), on);
    expect(await find("v1")).toEqual({ path, off: "beckon install --native-attention-off" });
    expect(await find("v2")).toBeUndefined(); // it does not read that file
  });

  test("of 2.x is on by cli.json, and names what to write there", async () => {
    const path = write(globalFile("cli.json"), on);
    expect(await find("v2")).toEqual({ path, off: '"attention": { "enabled": false }' });
    expect(await find("v1")).toBeUndefined();
  });

  test("is what the project says, where it says something", async () => {
    write(globalFile("tui.json"), on);
    const mark = write(join(project(), "opencode.json"), "{}");
    write(join(project(), ".opencode/tui.json"), off);
    expect(await find("v1")).toBeUndefined();
    expect(await find("v1", [dirname(mark), join(home, "elsewhere")])).toMatchObject({ path: globalFile("tui.json") });
  });

  test.each([
    ["its notifications are off", '{ "attention": { "enabled": true, "notifications": false } }'],
    ["its notifier is switched off", '{ "attention": { "enabled": true }, "plugins": ["-opencode.notifications"] }'],
  ])("does not double us where %s", async (_, text) => {
    write(globalFile("cli.json"), text);
    expect(await find("v2")).toBeUndefined();
  });
});
