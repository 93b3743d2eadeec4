import { expect, test } from "vitest";
import { tellGrants } from "../../../src/server/config/grants.ts";
import { configWith } from "../../fakes/config.ts";

const ntfy = (more: object = {}) => ({
  type: "ntfy",
  url: "https://ntfy.example.org",
  topic: "mine",
  ...more,
});

function setUp(first: object) {
  let file = configWith(first);
  const told: string[] = [];
  let reads = 0;
  const current = tellGrants(
    () => {
      reads += 1;
      return file;
    },
    (words) => told.push(words),
  );
  return { current, told, reads: () => reads, write: (next: object) => (file = configWith(next)) };
}

test("a new place for alerts is told once, before it counts, without a secret of it", () => {
  const { current, told, write } = setUp({});
  expect(current().alerts.push).toEqual([]);
  write({ alerts: { push: [ntfy({ actions: true, token: "tk_secret" })] } });
  expect(told).toEqual([]);
  expect(current().alerts.push).toHaveLength(1);
  current();
  expect(told).toEqual([
    "From now on in force: another alerts.push. Alerts are pushed to ntfy.example.org. Permissions can be answered from pushed messages. Not you? See: beckon config get",
  ]);
});

test.each<[string, object, object, string]>([
  ["answers from banners", {}, { alerts: { pause: { actions: true } } }, "alerts.pause.actions"],
  ["their end", { alerts: { pause: { actions: true } } }, {}, "alerts.pause.actions"],
  ["another topic", { alerts: { push: [ntfy()] } }, { alerts: { push: [ntfy({ topic: "other" })] } }, "alerts.push"],
  ["a place less", { alerts: { push: [ntfy()] } }, {}, "alerts.push"],
])("%s are told", (_, before, after, key) => {
  const { current, told, write } = setUp(before);
  write(after);
  current();
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(`another ${key}.`);
});

test("nothing is told of what grants nothing, of the same again, or of what stood there at the start", () => {
  const { current, told, write } = setUp({ alerts: { push: [ntfy()] } });
  current();
  write({ alerts: { push: [ntfy()], done: { mode: "none" }, terminal: "never" }, locale: "de" });
  current();
  expect(told).toEqual([]);
});
