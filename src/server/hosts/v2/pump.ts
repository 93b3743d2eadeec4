import type { Clock } from "../../../shared/clock.ts";
import { guarded, promising } from "../../../shared/guard.ts";
import type { Log } from "../../../shared/log.ts";
import { wait } from "../../../shared/wait.ts";

/** Waits before a stream that did not last is replaced, ms: doubling, the last one repeated. */
const backoffMs = [250, 500, 1_000, 2_000, 5_000];
/** A stream that lasted this long was a good one: its loss is a new outage, ms. */
const goodMs = 5_000;

export type PumpDeps = {
  clock: Clock;
  log: Log;
  subscribe(signal: AbortSignal): AsyncIterable<unknown>;
  /** May throw: one bad event never ends the stream. */
  hear(event: unknown): void;
  /** After an outage, when events are heard again: what was missed is asked for. */
  caughtUp(): void;
};

/**
 * Hears every event until it is stopped; a stream that ends or throws is replaced. Silence is no sign of a loss: the
 * stream is in-process and has no heartbeat (opencode 2.0.26), and a long tool says nothing.
 */
export function startPump({ clock, log, subscribe, ...deps }: PumpDeps) {
  const stopped = new AbortController();
  const hear = guarded("event", deps.hear);
  const caughtUp = guarded("catching up", deps.caughtUp);

  async function run(): Promise<void> {
    let failures = 0;
    for (let replaces = false; !stopped.signal.aborted; replaces = true) {
      const since = clock.now();
      const lost = listen();
      if (replaces) caughtUp(); // not before: what comes while the host is asked must be heard
      const why = await lost;
      if (clock.now() - since >= goodMs) failures = 0;
      await backOff(failures, why);
      failures += 1;
    }
  }

  /** The first loss is made good at once. */
  async function backOff(failures: number, why: string): Promise<void> {
    if (stopped.signal.aborted) return;
    if (failures === 0) log(`event stream lost (${why}); subscribing again`);
    else await wait(clock, backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 0, stopped.signal);
  }

  /** Subscribes at once; resolves with the reason when this subscription is over. */
  async function listen(): Promise<string> {
    const listening = new AbortController();
    const end = guarded("event stream", () => listening.abort());
    stopped.signal.addEventListener("abort", end, { once: true });
    try {
      const next = reader(subscribe(listening.signal)[Symbol.asyncIterator](), listening.signal);
      for (;;) {
        const turn = await next();
        if (turn === undefined || turn.done === true) return "it ended";
        hear(turn.value);
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      stopped.signal.removeEventListener("abort", end);
    }
  }

  const ended = promising("event stream", undefined, run)();
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
  const leave = guarded("event stream", async () => {
    giveUp();
    await Promise.resolve(iterator.return?.()).catch(() => {}); // nobody reads on
  });
  signal.addEventListener("abort", leave, { once: true });
  return () =>
    new Promise((resolve, reject) => {
      giveUp = () => resolve(undefined);
      if (signal.aborted) giveUp();
      else iterator.next().then(resolve, reject);
    });
}
