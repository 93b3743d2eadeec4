import { describe, expect, test } from "vitest";
import { startPump } from "../../../../src/server/hosts/v2/pump.ts";
import { tellBugsTo } from "../../../../src/shared/guard.ts";
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
  /** How many subscriptions there were when it was asked what was missed. */
  const caughtUp: number[] = [];
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
    caughtUp: () => caughtUp.push(streams.length),
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
    caughtUp,
    /** What happens in the host: whoever listens at this moment hears it, nobody else ever. */
    happens: (event: unknown) => {
      for (const stream of streams) if (!stream.closed) stream.say(event);
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

test("a bug while the host is asked what was missed does not end the stream", async () => {
  const clock = createHandCrankedClock();
  const heard: unknown[] = [];
  const streams: ReturnType<typeof createStream>[] = [];
  const pump = startPump({
    clock,
    log: () => {},
    subscribe: (signal) => {
      const stream = createStream(signal, true);
      streams.push(stream);
      return stream;
    },
    hear: (event) => void heard.push(event),
    caughtUp() {
      throw new Error("a bug of ours");
    },
  });
  streams.at(-1)?.end();
  await settled();
  streams.at(-1)?.say("after the outage");
  await settled();
  expect(streams).toHaveLength(2);
  expect(heard).toEqual(["after the outage"]);
  await pump.stop();
});

test("an event that cannot be borne does not end the stream", async () => {
  const { last, heard, wait, hearWith, streams } = rig();
  const bugs: string[] = [];
  tellBugsTo((line) => void bugs.push(line));
  bugs.splice(0); // those of before
  hearWith((event) => {
    if (event === 2) throw new Error("too much");
    heard.push(event);
  });
  for (const event of [1, 2, 3]) last().say(event);
  await wait();
  expect(heard).toEqual([1, 3]);
  expect(streams).toHaveLength(1);
  expect(bugs).toEqual([expect.stringContaining("too much")]);
});

describe("a stream that is lost", () => {
  const losses: [string, (stream: Stream) => void][] = [
    ["ends", (stream) => stream.end()],
    ["breaks", (stream) => stream.fail(new Error("gone"))],
  ];

  test.each(losses)("because it %s is replaced at once, and nothing that comes then is lost", async (_, lose) => {
    const { last, happens, heard, wait, log } = rig();
    happens("before");
    await wait();
    lose(last());
    await wait();
    happens("after");
    await wait();
    expect(heard).toEqual(["before", "after"]);
    expect(log).toHaveLength(1);
  });

  test.each(losses)("because it %s was deaf for a moment: what was missed is asked for", async (_, lose) => {
    const { last, wait, caughtUp } = rig();
    await wait();
    expect(caughtUp).toEqual([]);
    lose(last());
    await wait();
    expect(caughtUp).toEqual([2]); // the new stream listens already
  });

  test("again and again is subscribed less and less often, and one line says so", async () => {
    const { last, streams, wait, log } = rig();
    last().fail(new Error("gone"));
    await wait();
    const seen: number[] = [];
    for (const ms of [250, 500, 1_000, 2_000, 5_000, 5_000]) {
      last().fail(new Error("gone"));
      await wait(ms - 1);
      seen.push(streams.length);
      await wait(1);
    }
    expect(seen).toEqual([2, 3, 4, 5, 6, 7]);
    expect(streams).toHaveLength(8);
    expect(log).toHaveLength(1);
  });

  test("after a single event, over and over, never keeps the host busy", async () => {
    const { last, streams, wait } = rig();
    for (let again = 0; again < 5; again++) {
      last().say("hello");
      last().end();
      await wait();
    }
    expect(streams).toHaveLength(2);
  });

  test("after it lasted for a while is a new outage", async () => {
    const { last, streams, wait, log } = rig();
    for (const outages of [1, 2, 3]) {
      await wait(5_000);
      last().end();
      await wait();
      expect(streams).toHaveLength(outages + 1);
      expect(log).toHaveLength(outages);
    }
  });
});

test("ten minutes without a word, as a long build takes them, are no loss: what comes next is heard", async () => {
  const { happens, heard, streams, wait, log } = rig();
  happens("the build begins");
  for (let minute = 0; minute < 10; minute++) {
    await wait(60_000);
    happens(minute);
  }
  await wait();
  expect(heard).toEqual(["the build begins", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([streams.length, log]).toEqual([1, []]);
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
    await wait();
    last().end();
    await wait(100);
    await pump.stop();
    await wait(60_000);
    expect(streams).toHaveLength(2);
    expect(clock.waiting()).toBe(0);
  });

  test("twice is once", async () => {
    const { pump } = rig();
    await Promise.all([pump.stop(), pump.stop()]);
    await pump.stop();
  });
});
