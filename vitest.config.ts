import { defineConfig } from "vitest/config";

/** These start real hosts, desktops or browsers: one file at a time, after the others. */
const heavy = ["tests/flow/**/*.test.ts", "tests/package/**/*.test.ts"];
/** Those of them that drive real TUIs. */
const terminals = ["tests/flow/v1-*.test.ts", "tests/flow/*terminal*.test.ts", "tests/flow/new-user*.test.ts"];
const alone = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { provider: "v8", include: ["src/**"] },
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["tests/**/*.test.ts"],
          exclude: heavy,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "flow",
          ...alone,
          include: heavy,
          exclude: terminals,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "terminals",
          ...alone,
          include: terminals,
          // About one real TUI in fifteen stalls for seconds (contracts/opencode-v1.md section 12): such a story is told
          // once more, and the report says so.
          retry: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
