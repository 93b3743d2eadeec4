import { expect, test } from "vitest";
import { isOneShot } from "../../../src/server/runtime/compose.ts";

test.each<[string[], boolean]>([
  [["/usr/bin/opencode", "run", "fix the login"], true],
  [["bun", "/$bunfs/root/src/index.js", "run", "fix"], true],
  [["C:\\opencode.exe", "B:\\~BUN\\root\\index.js", "run"], true],
  [["opencode", "--print-logs", "run", "x"], true],
  [["opencode", "--log-level", "DEBUG", "run", "x"], true],
  [["opencode", "--log-level=DEBUG", "run", "x"], true],
  [["opencode"], false],
  [["opencode", "serve", "--port", "0"], false],
  [["opencode", "attach", "http://127.0.0.1:4096"], false],
  [["opencode", "serve", "run"], false],
  [["/$bunfs/root/tui/worker.js"], false],
  [["bun", "/$bunfs/root/tui/worker.js"], false],
  [[], false],
])("%j ends right after its one job: %s", (argv, expected) => {
  expect(isOneShot(argv)).toBe(expected);
});
