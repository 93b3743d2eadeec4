import fc from "fast-check";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { addElement, removeAt, setValue } from "../../../src/server/config/edit-text.ts";
import { plainValue, readTree } from "../../../src/server/config/json-text.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const keys = fc.constantFrom("a", "b", "c", "d // e", 'q"/*');
const leaf = fc.oneof(fc.constantFrom<Json>(null, true, 1, "// no comment", '"', []), fc.string());
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(keys, tie("json")),
  ),
}));
const objects = fc.dictionary(keys, json, { maxKeys: 4 });
const paths = fc.array(keys, { minLength: 1, maxLength: 3 });

/** Stands in no JSON text, which escapes it. */
const mark = "\u0001";

/** A gap between two tokens, as people leave them. The comments are numbered afterwards. */
const gap = fc.constantFrom("", "", " ", "\n", "\n  ", ` /* ${mark} */ `, ` // ${mark}\n`, `\n  // ${mark}\n  `, "\t");

/** Writes a value with gaps and trailing commas wherever they may be. */
function written(value: Json, next: () => string, comma: () => boolean): string {
  const body = (parts: string[]) => parts.join(`,${next()}`) + (parts.length > 0 && comma() ? `${next()},` : "");
  if (Array.isArray(value))
    return `[${body(value.map((one) => next() + written(one, next, comma) + next()))}${next()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, one]) => `${next()}${JSON.stringify(key)}${next()}:${next()}${written(one, next, comma)}${next()}`,
  );
  return `{${body(parts)}${next()}}`;
}

const laidOut = <T extends Json>(values: fc.Arbitrary<T>) =>
  fc.tuple(values, fc.infiniteStream(gap), fc.infiniteStream(fc.boolean())).map(([value, gaps, commas]) => {
    const text = written(
      value,
      () => gaps.next().value,
      () => commas.next().value,
    );
    let serial = 0;
    return { value, text: text.replaceAll(mark, () => String(serial++)) };
  });
const documents = laidOut(objects);

function read(text: string): unknown {
  const tree = readTree(text);
  if (!tree.ok) throw new Error(`${JSON.stringify(tree.error)} in ${text}`);
  return plainValue(tree.value);
}
const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function withValue(value: unknown, [key, ...rest]: string[], next: unknown): unknown {
  if (key === undefined) return next;
  const base = isObject(value) ? value : {};
  return { ...base, [key]: withValue(base[key], rest, next) };
}
function withoutKey(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || !isObject(value) || !(key in value)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [key]: withoutKey(inner, rest) };
}
/** Strings first, so that a comment inside them does not count. */
const comments = (text: string) =>
  [...text.matchAll(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*.*?\*\//g)]
    .map(([token]) => token)
    .filter((token) => token.startsWith("/"));

test("setting a value means exactly that, whatever the layout", () => {
  fc.assert(
    fc.property(documents, paths, json, ({ value, text }, path, next) => {
      expect(read(setValue(text, path, next))).toEqual(withValue(value, path, next));
    }),
    { numRuns: 1_000 },
  );
});

test("removing a key means exactly that, whatever the layout", () => {
  fc.assert(
    fc.property(documents, paths, ({ value, text }, path) => {
      expect(read(removeAt(text, path))).toEqual(withoutKey(value, path));
    }),
    { numRuns: 1_000 },
  );
});

test("every comment survives, in its order, unless it stands inside what is taken out", () => {
  fc.assert(
    fc.property(documents, paths, ({ text }, path) => {
      const root = parseTree(text);
      const nodes = path.map((_, depth) => root && findNodeAtLocation(root, path.slice(0, depth + 1)));
      fc.pre(nodes.every((node) => node === undefined || node.type !== "array"));
      const [property] = [nodes.at(-1)?.parent];
      const inside = property === undefined ? "" : text.slice(property.offset, property.offset + property.length);
      const outside = comments(text).filter((comment) => !comments(inside).includes(comment));
      expect(comments(removeAt(text, path))).toEqual(outside);
      if (nodes.at(-1)?.type !== "object") expect(comments(setValue(text, path, 7))).toEqual(comments(text));
    }),
    { numRuns: 1_000 },
  );
});

test("plain JSON stays plain JSON", () => {
  fc.assert(
    fc.property(objects, paths, json, fc.constantFrom(undefined, 2), (value, path, next, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(() => JSON.parse(setValue(text, path, next))).not.toThrow();
      expect(() => JSON.parse(removeAt(text, path))).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});

test("adding to a list and taking out of it means exactly that, whatever the layout", () => {
  const withList = laidOut(fc.record({ a: fc.array(json, { minLength: 1, maxLength: 3 }), b: leaf }));
  fc.assert(
    fc.property(withList, fc.nat(2), json, ({ value, text }, at, next) => {
      const without = removeAt(text, ["a", at]);
      expect(read(without)).toEqual({ ...value, a: value.a.filter((_, index) => index !== at) });
      const [more, all] = [addElement(text, ["a"], next), comments(text)];
      expect(read(more)).toEqual({ ...value, a: [...value.a, next] });
      expect(comments(more).filter((comment) => all.includes(comment))).toEqual(all);
    }),
    { numRuns: 1_000 },
  );
});

/** Lists as people write them: with comments, trailing commas, tabs, one line or many. */
const lists = fc
  .record({
    others: fc.array(fc.constantFrom('"a"', '"b@1.0.0"', '["c", { "x": [1, 2] }]', '{ "package": "d,e" }'), {
      minLength: 1,
    }),
    gap: fc.constantFrom(" ", "\n  ", "\n\t\t", "\r\n    "),
    comment: fc.constantFrom("", " // why, [not]", " /* a, b */", "  "),
    trailing: fc.boolean(),
    closing: fc.constantFrom("", "\n", " // end ]\n"),
  })
  .map(({ others, gap, comment, trailing, closing }) => {
    const mark = gap.includes("\n") ? comment : comment.replace(/ \/\/.*/, "");
    const items = others.map(
      (item, index) => `${gap}${item}${index < others.length - 1 || trailing ? "," : ""}${mark}`,
    );
    const end = mark.includes("//") && !closing.includes("\n") ? "\n" : closing;
    return { text: `{ "model": "m", "plugin": [${items.join("")}${end}] }`, size: others.length };
  });

test("adding an element and then removing it leaves every byte as it was", () => {
  fc.assert(
    fc.property(lists, ({ text, size }) => {
      const more = addElement(text, ["plugin"], "/opt/beckon");
      const values = read(more);
      expect(values).toHaveProperty("model", "m");
      expect(values).toHaveProperty(["plugin", size], "/opt/beckon");
      expect(removeAt(more, ["plugin", size])).toBe(text);
    }),
  );
});
