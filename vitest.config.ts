import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Real hosts, desktops, browsers, packages: one file at a time, after the others. */
const flow = ["tests/flow/**/*.test.ts", "tests/package/**/*.test.ts"];
/** Those of them that drive real TUIs. */
const terminals = ["tests/flow/v1-*.test.ts", "tests/flow/*terminal*.test.ts", "tests/flow/new-user*.test.ts"];

/** A file that starts a program says so by what it imports; every other one is of the unit lane. */
const startsPrograms = (file: string): boolean =>
  /["'](?:node:child_process|[./\w-]*\/(?:(?:rig|conformance|fixtures-programs)\/[^"']*|(?:programs\/run-program|built-command)\.ts))["']/.test(
    readFileSync(file, "utf8"),
  );
const root = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(join(root, "tests"), { recursive: true, withFileTypes: true })
  .filter((item) => item.isFile() && item.name.endsWith(".test.ts"))
  .map((item) => relative(root, join(item.parentPath, item.name)));
/** About what the whole process has once: these do not share one. */
const ownProcess = ["tests/shared/at-exit.test.ts", "tests/shared/guard.test.ts"];
const edges = files.filter(
  (file) => !/^tests\/(flow|package)\//.test(file) && (ownProcess.includes(file) || startsPrograms(join(root, file))),
);

const alone = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 };

/** The lanes, cheapest first (docs/testing.md). */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { provider: "v8", include: ["src/**"] },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/**/*.test.ts"],
          exclude: [...flow, ...edges],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "edges", include: edges, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: { name: "flow", ...alone, include: flow, exclude: terminals, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: {
          name: "terminals",
          ...alone,
          include: terminals,
          // About one real TUI in fifteen stalls for seconds (docs/hosts.md, "The terminal part"): such a story is told
          // once more, and the report says so.
          retry: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
