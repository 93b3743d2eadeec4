import fc from "fast-check";

/** What a foreign program might send: any JSON, and objects that have our keys with anything in them. */
export const anyJson = fc.jsonValue({ maxDepth: 4 });

/** Objects with some of these keys, each with anything in it, a few of them huge. */
export const withKeys = (keys: readonly string[]): fc.Arbitrary<unknown> => {
  const value = fc.oneof(
    anyJson,
    fc.constantFrom<unknown>(undefined, null, "", 0, -1, true, Number.NaN, [], {}, "x".repeat(100_000)),
  );
  return fc.oneof(
    anyJson,
    fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: keys.length }),
    fc.dictionary(fc.constantFrom(...keys), fc.dictionary(fc.constantFrom(...keys), value), { maxKeys: keys.length }),
  );
};
