import { expect, test } from "vitest";
import { readDaemonFacts } from "../../../../src/server/cli/desktop/daemon-facts.ts";
import type { BusFailure, OpenBus, SessionBus } from "../../../../src/server/delivery/session-bus.ts";
import { fail, ok, type Result } from "../../../../src/shared/result.ts";
import { createHandCrankedClock } from "../../../fakes/hand-cranked-clock.ts";
import { settled } from "../../../fakes/settled.ts";

const read = (openBus: OpenBus, clock = createHandCrankedClock()) =>
  readDaemonFacts({ env: {}, clock, openBus, runProgram: async () => fail({ kind: "missing", detail: "" }) });

/** A bus on which every call is answered like this. */
const busThat = (answers: () => Result<readonly unknown[], BusFailure>): OpenBus => {
  const bus: SessionBus = {
    call: async () => answers(),
    listen: async () => ok([]),
    onClose: () => {},
    close: () => {},
  };
  return async () => ok(bus);
};

test("a bus that does not answer is given up, and what was begun is closed", async () => {
  const clock = createHandCrankedClock();
  let givenUp = false;
  const facts = read((_paths, signal) => {
    signal.addEventListener("abort", () => {
      givenUp = true;
    });
    return new Promise(() => {});
  }, clock);
  await settled();
  clock.advance(2_000);
  expect(await facts).toEqual({ state: "no-bus", detail: "the bus does not answer" });
  expect(givenUp).toBe(true);
});

test.each([
  ["nobody owns the name", { kind: "unavailable", detail: "no owner" }, { state: "nobody" }],
  ["its owner answers with an error", { kind: "refused", detail: "no such method" }, { state: "silent" }],
] as const)("where %s there is no daemon to speak of", async (_name, failure, state) => {
  expect(await read(busThat(() => fail(failure)))).toEqual(state);
});

test("without its library no bus is looked for", async () => {
  const missing = { kind: "unavailable", noLibrary: true, detail: "dbus-native is not installed" } as const;
  expect(await read(async () => fail(missing))).toEqual({ state: "no-library" });
});
