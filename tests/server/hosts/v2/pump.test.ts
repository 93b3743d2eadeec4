import { expect, test } from "vitest";
import { type PumpDeps, startPump } from "../../../../src/server/hosts/v2/pump.ts";
import { createEventStreams } from "../../../conformance/event-streams.ts";
import { createHandCrankedClock } from "../../../fakes/hand-cranked-clock.ts";

const event = (type: string) => ({ id: `evt_${type}`, created: 0, type, data: {} });
const turnOfEvents = () => new Promise<void>((resolve) => setImmediate(resolve));

function pumpOn(parts: Partial<PumpDeps> = {}) {
  const streams = createEventStreams();
  const clock = createHandCrankedClock();
  const told: string[] = [];
  const pump = startPump({
    clock,
    log: (line) => told.push(line),
    subscribe: (signal) => streams.subscribe(streams, signal),
    hear: (given) => told.push(Object(given).type),
    isBusy: () => false,
    caughtUp: () => told.push("caught up"),
    ...parts,
  });
  return { streams, clock, told, pump };
}

test("every event is heard in order, and one that cannot be read harms no other", async () => {
  const heard: string[] = [];
  const { streams, told, pump } = pumpOn({
    hear(given) {
      const { type } = Object(given);
      heard.push(type);
      if (type === "bad") throw new Error("unreadable");
    },
  });
  for (const type of ["first", "bad", "last"]) streams.publish(event(type));
  await turnOfEvents();
  expect(heard).toEqual(["first", "bad", "last"]);
  expect(told).toEqual(["event: Error: unreadable"]);
  await pump.stop();
});

test.each([
  ["throw", "event stream lost (event stream failed); subscribing again"],
  ["end", "event stream lost (it ended); subscribing again"],
] as const)("a stream that breaks (%s) is subscribed again, and what was missed is asked for", async (how, line) => {
  const { streams, clock, told, pump } = pumpOn();
  streams.breakDown(how);
  await turnOfEvents();
  expect(told).toEqual([line]);
  clock.advance(250);
  await turnOfEvents();
  streams.publish(event("after"));
  await turnOfEvents();
  expect(told).toEqual([line, "caught up", "after"]);
  await pump.stop();
});

test("a stream that says nothing for a minute while a session works is subscribed again", async () => {
  const { streams, clock, told, pump } = pumpOn({ isBusy: () => true });
  streams.breakDown("stall");
  clock.advance(60_000);
  await turnOfEvents();
  clock.advance(250);
  await turnOfEvents();
  streams.publish(event("after"));
  await turnOfEvents();
  expect(told).toEqual(["event stream lost (it stalled); subscribing again", "caught up", "after"]);
  await pump.stop();
});

test("a host without a working subscription is asked again, less and less often", async () => {
  let asked = 0;
  const { clock, pump } = pumpOn({
    subscribe() {
      asked += 1;
      throw new Error("not yet");
    },
  });
  for (const ms of [250, 500, 1_000, 2_000, 5_000, 5_000]) {
    await turnOfEvents();
    clock.advance(ms);
  }
  await turnOfEvents();
  expect(asked).toBe(7);
  await pump.stop();
});

test("a stream that ignores its signal does not hold the stop up", async () => {
  const streams = createEventStreams();
  const { pump, told } = pumpOn({ subscribe: () => streams.subscribe(streams) });
  await turnOfEvents();
  await pump.stop();
  streams.publish(event("late"));
  await turnOfEvents();
  expect(told).toEqual([]);
});
