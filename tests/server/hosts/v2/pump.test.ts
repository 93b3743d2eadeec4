import { describe, expect, test } from "vitest";
import { startPump } from "../../../../src/server/hosts/v2/pump.ts";
import { createHandCrankedClock } from "../../../fakes/hand-cranked-clock.ts";
import { settled } from "../../../fakes/settled.ts";

type Stream = {
  say(event: unknown): void;
  end(): void;
  fail(error: Error): void;
  signal: AbortSignal;
  closed: boolean;
};

/** A host's stream of events: what is said before anybody listens waits. */
function createStream(signal: AbortSignal, heedsSignal: boolean): Stream & AsyncIterable<unknown> {
  type Turn = { event: unknown } | { error: Error } | "end";
  const waiting: Turn[] = [];
  let wake = () => {};
  const stream = {
    signal,
    closed: false,
    push(turn: Turn) {
      waiting.push(turn);
      wake();
    },
    say: (event: unknown) => stream.push({ event }),
    fail: (error: Error) => stream.push({ error }),
    end: () => stream.push("end"),
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (waiting.length === 0)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          const turn = waiting.shift();
          if (turn === "end" || turn === undefined) return;
          if ("error" in turn) throw turn.error;
          yield turn.event;
        }
      } finally {
        stream.closed = true;
      }
    },
  };
  if (heedsSignal) signal.addEventListener("abort", stream.end);
  return stream;
}

function rig({ heedsSignal = true }: { heedsSignal?: boolean } = {}) {
  const clock = createHandCrankedClock();
  const streams: Stream[] = [];
  const heard: unknown[] = [];
  const log: string[] = [];
  let caughtUp = 0;
  let busy = false;
  let hear = (event: unknown): void => void heard.push(event);
  const pump = startPump({
    clock,
    log: (line) => log.push(line),
    subscribe(signal) {
      const stream = createStream(signal, heedsSignal);
      streams.push(stream);
      return stream;
    },
    hear: (event) => hear(event),
    isBusy: () => busy,
    caughtUp: () => {
      caughtUp += 1;
    },
  });
  const last = (): Stream => {
    const stream = streams.at(-1);
    if (stream === undefined) throw new Error("nobody listens");
    return stream;
  };
  return {
    pump,
    streams,
    heard,
    log,
    last,
    clock,
    caughtUp: () => caughtUp,
    setBusy: (is: boolean) => {
      busy = is;
    },
    hearWith: (other: (event: unknown) => void) => {
      hear = other;
    },
    async wait(ms = 0): Promise<void> {
      await settled();
      clock.advance(ms);
      await settled();
    },
  };
}

test("every event is heard, in order", async () => {
  const { last, heard, wait } = rig();
  last().say(1);
  last().say(2);
  await wait();
  last().say(3);
  await wait();
  expect(heard).toEqual([1, 2, 3]);
});

test("an event that cannot be borne does not end the stream", async () => {
  const { last, heard, log, wait, hearWith, streams } = rig();
  hearWith((event) => {
    if (event === 2) throw new Error("too much");
    heard.push(event);
  });
  for (const event of [1, 2, 3]) last().say(event);
  await wait();
  expect(heard).toEqual([1, 3]);
  expect(streams).toHaveLength(1);
  expect(log).toEqual([expect.stringContaining("too much")]);
});

describe("a stream that is lost", () => {
  test.each([
    ["ends", (stream: Stream) => stream.end()],
    ["breaks", (stream: Stream) => stream.fail(new Error("gone"))],
  ])("because it %s is subscribed again, and what was missed is asked for", async (_, lose) => {
    const { last, streams, heard, wait, caughtUp, log } = rig();
    await wait();
    lose(last());
    await wait(249);
    expect([streams.length, caughtUp()]).toEqual([1, 0]);
    await wait(1);
    expect([streams.length, caughtUp()]).toEqual([2, 1]);
    last().say("again");
    await wait();
    expect(heard).toEqual(["again"]);
    expect(log).toHaveLength(1);
  });

  test("again and again is subscribed less and less often, and one line says so", async () => {
    const { last, streams, wait, log } = rig();
    const seen: number[] = [];
    for (const ms of [250, 500, 1_000, 2_000, 5_000, 5_000]) {
      last().fail(new Error("gone"));
      await wait(ms - 1);
      seen.push(streams.length);
      await wait(1);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(streams).toHaveLength(7);
    expect(log).toHaveLength(1);
  });

  test("after it worked again for a while is a new outage", async () => {
    const { last, streams, wait, log } = rig();
    last().end();
    await wait(250);
    last().say("fine");
    await wait();
    last().end();
    await wait(250);
    expect(streams).toHaveLength(3);
    expect(log).toHaveLength(2);
  });
});

describe("a stream that says nothing", () => {
  test("while a session works is given up after a minute, even when it heeds no signal", async () => {
    for (const heedsSignal of [true, false]) {
      const { streams, wait, setBusy } = rig({ heedsSignal });
      setBusy(true);
      await wait(60_000);
      await wait(250);
      expect(streams).toHaveLength(2);
    }
  });

  test("while nobody works is left alone", async () => {
    const { streams, wait } = rig();
    await wait(60_000);
    await wait(60_000);
    expect(streams).toHaveLength(1);
  });

  test("since a while, and then speaks, is left alone", async () => {
    const { last, streams, wait, setBusy } = rig();
    setBusy(true);
    await wait(50_000);
    last().say("alive");
    await wait(50_000);
    expect(streams).toHaveLength(1);
  });
});

describe("stopping", () => {
  test.each([true, false])("ends at once and for good; the host heeds the signal: %s", async (heedsSignal) => {
    const { pump, last, heard, streams, clock, wait } = rig({ heedsSignal });
    await wait();
    await pump.stop();
    last().say("late");
    await wait(60_000);
    expect(heard).toEqual([]);
    expect(streams).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  });

  test("between two subscriptions subscribes no more", async () => {
    const { pump, last, streams, clock, wait } = rig();
    last().end();
    await wait(100);
    await pump.stop();
    await wait(60_000);
    expect(streams).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  });

  test("twice is once", async () => {
    const { pump } = rig();
    await Promise.all([pump.stop(), pump.stop()]);
    await pump.stop();
  });
});
