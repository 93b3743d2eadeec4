import { expect, test } from "vitest";
import { testAlert, testWords } from "../../../src/server/runtime/test-alert.ts";

test("a test alert goes by the ways a person chose", () => {
  expect(testAlert("voice")).toMatchObject({ mode: "voice", message: "This is a test" });
});

test("what became of it names each way", () => {
  const ok = { ok: true, outlet: "dbus", certainty: "accepted" } as const;
  const failed = { ok: false, outlet: "espeak", reason: "unavailable" } as const;
  const attempts = [
    { channel: "banner", delivery: ok },
    { channel: "voice", delivery: failed },
  ] as const;
  expect(testWords({ kind: "tried", attempts })).toBe("banner: accepted, voice: unavailable");
  expect(testWords({ kind: "unsupported", platform: "other" })).toBe("nothing here can notify (other)");
});
