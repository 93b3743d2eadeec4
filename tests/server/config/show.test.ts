import { expect, test } from "vitest";
import { settingsBelow, showSettings } from "../../../src/server/config/show.ts";

const shown = (key: string, written: unknown): string => {
  const settings = settingsBelow(key);
  return settings.ok ? showSettings(settings.value, written, { values: false }) : settings.error;
};

test("a secret is not shown, and one that was taken out with null does not look like a set one", () => {
  const push = [{ type: "ntfy", url: "https://ntfy.example", topic: "t", token: null }];
  expect(shown("alerts.push", { alerts: { push } })).toBe(
    'alerts.push = [{"type":"ntfy","url":"(set, not shown)","topic":"(set, not shown)","token":null}]',
  );
});

test("below a setting that is one value there is nothing to ask for", () => {
  expect(shown("locale.x", {})).toBe('unknown key "locale.x": locale has no keys below it');
});
