import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/server/config/parse.ts";
import { applyPatch, type ConfigPatch } from "../../../src/server/config/patch.ts";

const mode = fc.constantFrom("both", "banner", "voice", "none", null);
const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(shape: T) => fc.record(shape, { requiredKeys: [] });
const kind = optional({ mode, settleMs: fc.nat(60_000), whenFocused: fc.constantFrom("suppress", "deliver") });
const span = fc.record({ from: fc.constantFrom("22:00", "00:00"), to: fc.constant("07:00") });

/** Valid partial configurations, with `null` where a key is to go. */
const patches: fc.Arbitrary<ConfigPatch> = optional({
  locale: fc.constantFrom("auto", "en", "de", null),
  notifications: optional({ mode, voice: fc.constantFrom("Anna", null), sound: fc.constantFrom('a"b//', null) }),
  alerts: optional({
    pause: kind,
    done: fc.oneof(kind, fc.constant(null)),
    error: kind,
    sound: fc.constantFrom(true, false, "Ping"),
    focus: optional({ idleSeconds: fc.nat(86_400), suppress: fc.constantFrom("all", "none") }),
    quietHours: fc.array(span, { maxLength: 2 }),
  }),
});

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a merge means, said without any text. */
function merged(base: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = Object.entries(isObject(base) ? base : {}).filter(([key]) => patch[key] === undefined);
  const set = Object.entries(patch).filter(([, value]) => value !== null && value !== undefined);
  const before = isObject(base) ? base : {};
  return Object.fromEntries([...kept, ...set.map(([key, value]) => [key, merged(before[key], value)])]);
}

const config = (value: unknown) => parseConfig(typeof value === "string" ? value : JSON.stringify(value));

test("patches one after another give the file that the merged settings describe", () => {
  fc.assert(
    fc.property(fc.array(patches, { minLength: 1, maxLength: 4 }), (series) => {
      const text = series.reduce(applyPatch, "{\n  // mine\n}\n");
      const expected = config(series.reduce<unknown>(merged, {}));
      expect(expected.ok).toBe(true);
      expect(config(text)).toEqual(expected);
      expect(text).toContain("// mine");
    }),
    { numRuns: 500 },
  );
});

test("the same patch a second time changes not a byte", () => {
  fc.assert(
    fc.property(patches, patches, (first, second) => {
      const once = applyPatch(applyPatch("{}\n", first), second);
      expect(applyPatch(once, second)).toBe(once);
    }),
    { numRuns: 500 },
  );
});

test("two patches of different sections give the same settings in either order", () => {
  fc.assert(
    fc.property(patches, patches, ({ alerts }, { notifications, locale }) => {
      const one = { alerts };
      const other = { notifications, locale };
      const there = config(applyPatch(applyPatch("{}", one), other));
      expect(config(applyPatch(applyPatch("{}", other), one))).toEqual(there);
    }),
    { numRuns: 500 },
  );
});
