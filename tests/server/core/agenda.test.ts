import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cancel,
  type Due,
  earliest,
  emptyAgenda,
  isScheduled,
  schedule,
  takeDue,
} from "../../../src/server/core/agenda.ts";

const due = (id: string): Due => ({ what: "round", id });

test("the earliest is due first, of the same moment what was set first, each once", () => {
  const agenda = emptyAgenda();
  schedule(agenda, due("late"), 20);
  schedule(agenda, due("a"), 10);
  schedule(agenda, due("b"), 10);
  expect(earliest(agenda)).toBe(10);
  expect(takeDue(agenda, 9)).toBeUndefined();
  expect([takeDue(agenda, 10), takeDue(agenda, 10), takeDue(agenda, 10)]).toEqual([due("a"), due("b"), undefined]);
  expect(earliest(agenda)).toBe(20);
});

test("setting one again replaces it and leaves the others alone", () => {
  const agenda = emptyAgenda();
  schedule(agenda, due("a"), 10);
  schedule(agenda, { what: "push", id: "a", target: 0 }, 11);
  schedule(agenda, { what: "push", id: "a", target: 1 }, 12);
  schedule(agenda, due("a"), 30);
  expect(takeDue(agenda, 20)).toMatchObject({ what: "push", target: 0 });
  expect(takeDue(agenda, 20)).toMatchObject({ what: "push", target: 1 });
  expect(takeDue(agenda, 20)).toBeUndefined();
  expect(takeDue(agenda, 30)).toEqual(due("a"));
});

test("it behaves like a sorted list, also as a copy, however much is set, replaced and cancelled", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e");
  const act = fc.oneof(
    fc.record({ do: fc.constant("set" as const), id, at: fc.nat(100) }),
    fc.record({ do: fc.constant("cancel" as const), id }),
    fc.record({ do: fc.constant("take" as const), now: fc.nat(100) }),
    fc.record({ do: fc.constant("copy" as const) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
      let agenda = emptyAgenda();
      let serial = 0;
      let list: { id: string; at: number; serial: number }[] = [];
      for (const each of acts) {
        if (each.do === "set") {
          schedule(agenda, due(each.id), each.at);
          serial += 1;
          list = [...list.filter((other) => other.id !== each.id), { id: each.id, at: each.at, serial }];
          list.sort((a, b) => a.at - b.at || a.serial - b.serial);
        } else if (each.do === "cancel") {
          cancel(agenda, due(each.id));
          list = list.filter((other) => other.id !== each.id);
        } else if (each.do === "take") {
          const first = list[0];
          const expected = first !== undefined && first.at <= each.now ? first : undefined;
          if (expected !== undefined) list.shift();
          expect(takeDue(agenda, each.now)).toEqual(expected === undefined ? undefined : due(expected.id));
        } else agenda = structuredClone(agenda);
        expect(earliest(agenda)).toBe(list[0]?.at);
        for (const name of ["a", "b", "c", "d", "e"])
          expect(isScheduled(agenda, due(name))).toBe(list.some((other) => other.id === name));
        expect(agenda.heap.length).toBeLessThanOrEqual(66 + 2 * agenda.entries.size);
      }
    }),
  );
});
