import { expect, test } from "vitest";
import { createRecords } from "../../../src/server/core/family.ts";

/** Records placed as told: child → parent, null = a root. */
function family(parents: Record<string, string | null>) {
  const records = createRecords();
  for (const [id, parentID] of Object.entries(parents)) records.place(records.ensure(id, 0), parentID);
  return records;
}
const idsBelow = (records: ReturnType<typeof createRecords>, id: string) =>
  [...records.below(id)].map((record) => record.id).toSorted();

test("a session is made once and remembered", () => {
  const records = createRecords();
  expect(records.ensure("a", 5)).toBe(records.ensure("a", 9));
  expect(records.get("a")).toMatchObject({ id: "a", heardAt: 5, turn: { phase: "resting" }, asks: [] });
  expect(records.get("b")).toBeUndefined();
  expect(records.size()).toBe(1);
});

test("the root of a grandchild is at the top; a session of its own is its own root", () => {
  const records = family({ root: null, child: "root", grandchild: "child", other: null });
  expect(records.rootOf("grandchild")).toBe("root");
  expect(records.rootOf("other")).toBe("other");
  expect(records.rootOf("unheard")).toBe("unheard");
  expect(idsBelow(records, "root")).toEqual(["child", "grandchild"]);
  expect(idsBelow(records, "grandchild")).toEqual([]);
});

test("a parent that was only named is the root until more is known", () => {
  const records = family({ child: "named" });
  expect(records.rootOf("child")).toBe("named");
  expect(idsBelow(records, "named")).toEqual(["child"]);
});

test("parents in a ring end nowhere, but end", () => {
  const records = family({ a: "b", b: "a" });
  expect(["a", "b"]).toContain(records.rootOf("a"));
  expect(idsBelow(records, "a")).toEqual(["b"]);
});

test("a session that gets another parent leaves the old one", () => {
  const records = family({ one: null, two: null, child: "one" });
  const child = records.ensure("child", 0);
  records.place(child, "two");
  expect(idsBelow(records, "one")).toEqual([]);
  expect(idsBelow(records, "two")).toEqual(["child"]);
  records.place(child, null);
  expect(idsBelow(records, "two")).toEqual([]);
});

test("a session that is gone is gone for everybody; its children are not", () => {
  const records = family({ root: null, child: "root", grandchild: "child" });
  records.remove("child");
  records.remove("never was");
  expect(records.get("child")).toBeUndefined();
  expect(idsBelow(records, "root")).toEqual([]);
  expect(idsBelow(records, "child")).toEqual(["grandchild"]);
  expect(records.size()).toBe(2);
});

test("records handed over keep their tree", () => {
  const before = family({ root: null, child: "root" });
  const after = createRecords([...before.all()]);
  expect(after.rootOf("child")).toBe("root");
  expect(idsBelow(after, "root")).toEqual(["child"]);
});
