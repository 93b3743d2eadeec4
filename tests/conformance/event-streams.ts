import type { HostEvent } from "./event.ts";

/** Whose subscription it is: one object an instance of a plugin (§2.5). */
export type StreamOwner = object;
/** How a subscription may go wrong. `stall`: it stays open and nothing more comes. */
export type Breakage = "throw" | "end" | "stall";

type Stream = {
  owner: StreamOwner;
  push(event: HostEvent): void;
  end(): void;
  breakDown(how: Breakage): void;
  isOpen(): boolean;
};
type Turn = IteratorResult<HostEvent, undefined>;

const done: Turn = { done: true, value: undefined };

/** §3.3: live only, in emit order, no replay: what was emitted before the iteration began is lost. */
function createStream(
  owner: StreamOwner,
  whenClosed: () => void,
): Stream & { iterator: AsyncIterator<HostEvent, undefined> } {
  const queue: HostEvent[] = [];
  let waiting: { resolve(turn: Turn): void; reject(error: Error): void } | undefined;
  let state: "open" | "stalled" | "ended" | Error = "open";

  function end() {
    if (state === "ended") return;
    state = "ended";
    queue.length = 0;
    whenClosed();
    waiting?.resolve(done);
    waiting = undefined;
  }
  return {
    owner,
    end,
    isOpen: () => state === "open",
    push(event) {
      if (state !== "open") return;
      if (waiting === undefined) return void queue.push(event);
      waiting.resolve({ done: false, value: event });
      waiting = undefined;
    },
    breakDown(how) {
      if (state === "ended") return;
      if (how === "end") return end();
      if (how === "stall") {
        state = "stalled";
        return;
      }
      const broken = new Error("event stream failed");
      state = broken;
      whenClosed();
      waiting?.reject(broken);
      waiting = undefined;
    },
    iterator: {
      next() {
        const event = state === "stalled" ? undefined : queue.shift();
        if (event !== undefined) return Promise.resolve({ done: false, value: event });
        if (state === "ended") return Promise.resolve(done);
        if (state instanceof Error) {
          const failure = state;
          state = "ended";
          return Promise.reject(failure);
        }
        return new Promise<Turn>((resolve, reject) => {
          waiting = { resolve, reject };
        });
      },
      return() {
        end();
        return Promise.resolve(done);
      },
    },
  };
}

/** All subscriptions of one process. Every one gets every event, whatever its location (§2.5, §3.3). */
export function createEventStreams() {
  const streams = new Set<Stream>();
  return {
    publish(event: HostEvent) {
      for (const stream of [...streams]) stream.push(event);
    },
    /** §3.3: returns the iterable itself, not a promise and no `.stream`. */
    subscribe(owner: StreamOwner, signal?: AbortSignal): AsyncIterable<HostEvent, undefined> {
      return {
        [Symbol.asyncIterator]() {
          const stream = createStream(owner, () => streams.delete(stream));
          streams.add(stream);
          if (signal?.aborted) stream.end();
          signal?.addEventListener("abort", () => stream.end(), { once: true });
          return stream.iterator;
        },
      };
    },
    /** §2.4: a closed instance's iterators end. */
    endOf(owner: StreamOwner) {
      for (const stream of [...streams]) if (stream.owner === owner) stream.end();
    },
    breakDown(how: Breakage, owner?: StreamOwner) {
      for (const stream of [...streams]) if (owner === undefined || stream.owner === owner) stream.breakDown(how);
    },
    countOf: (owner: StreamOwner) => [...streams].filter((stream) => stream.owner === owner).length,
    count: () => streams.size,
    /** Those that would get the next event: neither ended nor stalled. */
    hearing: () => [...streams].filter((stream) => stream.isOpen()).length,
  };
}

export type EventStreams = ReturnType<typeof createEventStreams>;
