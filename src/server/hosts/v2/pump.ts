import type { Clock } from "../../../shared/clock.ts";
import type { Log } from "../../../shared/log.ts";

/** Waits between two subscriptions, ms: doubling, the last one repeated. */
const backoffMs = [250, 500, 1_000, 2_000, 5_000];
/** A stream that says nothing for this long while a session works is subscribed anew, ms. */
const stalledMs = 60_000;

export type PumpDeps = {
  clock: Clock;
  log: Log;
  subscribe(signal: AbortSignal): AsyncIterable<unknown>;
  /** May throw: one bad event never ends the stream. */
  hear(event: unknown): void;
  isBusy(): boolean;
  /** After an outage: what was missed is asked for. */
  caughtUp(): void;
};

/** Hears every event until it is stopped; a stream that ends, throws or stalls is subscribed again. */
export function startPump({ clock, log, subscribe, hear, isBusy, caughtUp }: PumpDeps) {
  const stopped = new AbortController();
  let failures = 0;

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const why = await listen();
      if (stopped.signal.aborted) return;
      if (failures === 0) log(`event stream lost (${why}); subscribing again`);
      await wait(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0);
      failures += 1;
      if (!stopped.signal.aborted) caughtUp();
    }
  }

  /** Resolves with the reason when this subscription is over. */
  async function listen(): Promise<string> {
    const listening = new AbortController();
    const end = () => listening.abort();
    stopped.signal.addEventListener("abort", end, { once: true });
    const watch = watchStall(() => end());
    try {
      const next = reader(subscribe(listening.signal)[Symbol.asyncIterator](), listening.signal);
      for (;;) {
        const turn = await next();
        if (turn === undefined) return "it stalled";
        if (turn.done === true) return "it ended";
        watch.heard();
        failures = 0;
        tell(turn.value);
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      watch.stop();
      stopped.signal.removeEventListener("abort", end);
    }
  }

  function tell(event: unknown): void {
    try {
      hear(event);
    } catch (bug) {
      log(`event: ${String(bug)}`);
    }
  }

  function watchStall(stalled: () => void) {
    let heardAt = clock.now();
    let cancel = () => {};
    const check = (): void => {
      cancel = clock.after(stalledMs, () => {
        if (isBusy() && clock.now() - heardAt >= stalledMs) stalled();
        else check();
      });
    };
    check();
    return {
      heard: () => {
        heardAt = clock.now();
      },
      stop: () => cancel(),
    };
  }

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      stopped.signal.addEventListener(
        "abort",
        () => {
          cancel();
          resolve();
        },
        { once: true },
      );
    });

  const ended = run().catch((bug) => log(`event stream: ${String(bug)}`));
  return {
    stop(): Promise<void> {
      stopped.abort();
      return ended;
    },
  };
}

/**
 * The next turn, or undefined once the signal says so: a host that ignores the signal, or that ends its streams only
 * after our cleanup (the alpha), cannot hold it up.
 */
function reader(
  iterator: AsyncIterator<unknown>,
  signal: AbortSignal,
): () => Promise<IteratorResult<unknown> | undefined> {
  let giveUp = () => {};
  const leave = () => {
    giveUp();
    Promise.resolve(iterator.return?.()).catch(() => {}); // nobody reads on
  };
  signal.addEventListener("abort", leave, { once: true });
  return () =>
    new Promise((resolve, reject) => {
      giveUp = () => resolve(undefined);
      if (signal.aborted) giveUp();
      else iterator.next().then(resolve, reject);
    });
}
