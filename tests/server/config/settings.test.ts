import { expect, test } from "vitest";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { listSettings } from "../../../src/server/config/settings.ts";
import { valueAt } from "../../../src/server/config/show.ts";

test("every key of the complete configuration is a setting, and its default is what is in force without a file", () => {
  const leaves = (value: unknown, path: string[]): string[] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
      : [path.join(".")];
  const settings = listSettings();
  const withDefault = settings.filter(({ byDefault }) => byDefault !== undefined);
  expect(withDefault.map(({ path }) => path.join(".")).sort()).toEqual(leaves(defaultConfig, []).sort());
  for (const { path, byDefault } of withDefault) expect(valueAt(defaultConfig, path)).toEqual(byDefault);
});

test("the defaults are those of the product's page", () => {
  expect(defaultConfig).toEqual({
    locale: "auto",
    notifications: { mode: "both" },
    alerts: {
      pause: { mode: "banner", settleMs: 350, whenFocused: "suppress", actions: false },
      done: {
        mode: "banner",
        settleMs: 400,
        whenFocused: "suppress",
        work: "tools",
        delegated: "silent",
        minSeconds: 0,
      },
      error: { mode: "banner", settleMs: 400, whenFocused: "suppress", stuckAfterSeconds: 60 },
      detail: "short",
      sound: false,
      focus: {
        enabled: true,
        suppress: "banner",
        idleSeconds: 600,
        leaveSeconds: 5,
        unseenSeconds: 0,
        maxTerminals: 64,
      },
      terminal: "auto",
      quietHours: [],
      exclude: [],
      reminder: { afterSeconds: 0, times: 1 },
      push: [],
    },
  });
});

test("every setting, and every key in a list, says what it is for and what it takes", () => {
  for (const setting of listSettings()) {
    for (const { description, expected } of [setting, ...setting.fields]) {
      expect(description).toMatch(/^\S.*\.$/);
      expect(expected).not.toBe("");
    }
  }
});

test("a list of objects names the keys of its elements, and which kind has which", () => {
  const push = listSettings().find(({ path }) => path.join(".") === "alerts.push");
  expect(push?.fields.map(({ path, of }) => [path[0], of ?? "all"])).toEqual([
    ["type", "ntfy"],
    ["url", "all"],
    ["events", "all"],
    ["afterSeconds", "all"],
    ["title", "all"],
    ["detail", "all"],
    ["topic", "ntfy"],
    ["token", "ntfy"],
    ["actions", "ntfy"],
    ["type", "webhook"],
    ["secret", "webhook"],
    ["actions", "webhook"],
  ]);
});
