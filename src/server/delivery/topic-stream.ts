import type { Clock } from "../../shared/clock.ts";
import { wait } from "../../shared/wait.ts";
import type { Environment } from "./find-program.ts";
import { type End, readStream } from "./topic-connection.ts";
import { textsIn } from "./topic-lines.ts";

export type TopicStreamParts = {
  /** The topic's `json` address, with `since=all`: what came while nobody listened is told too. */
  url: string;
  token?: string | undefined;
  env: Environment;
  clock: Clock;
  /** The text of each message; one may come more than once. */
  heard(text: string): void;
  /** Nothing can be heard, at least for now. */
  trouble(why: string): void;
};

/** Waits between two connections, ms; the last one repeated. */
const backoffMs = [1_000, 2_000, 5_000, 15_000, 60_000];
/** A connection that lasted this long was a good one, ms. */
const goodMs = 60_000;
/** One that breaks now and then is no news. */
const failuresTold = 3;
/** What we wait for takes some hundred characters. */
const longestLine = 16_384;
/** Bytes over all connections: five days of keepalives. */
const mostBytes = 1_048_576;

/** Listens to one topic of an ntfy server until it is closed (docs.ntfy.sh/subscribe/api). */
export function openTopicStream(parts: TopicStreamParts): { close(): void } {
  const { clock } = parts;
  const closed = new AbortController();
  const { signal } = closed;
  let left = mostBytes;
  let failures = 0;

  async function run(): Promise<void> {
    for (let goesOn = true; goesOn && !signal.aborted; ) {
      const since = clock.now();
      const end = await listen();
      left -= end.bytes;
      failures = clock.now() - since >= goodMs ? 1 : failures + 1;
      goesOn = await mayGoOn(end);
    }
  }

  /** True once it is time for another connection. */
  async function mayGoOn({ why, final }: End): Promise<boolean> {
    if (signal.aborted) return false;
    if (final || failures === failuresTold) parts.trouble(why);
    if (!final) await wait(clock, backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 0, signal);
    return final !== true;
  }

  function listen(): Promise<End> {
    const textsOf = textsIn(longestLine);
    return readStream({
      ...parts,
      signal,
      mostBytes: left,
      read(chunk) {
        const texts = textsOf(chunk);
        if (texts === undefined) return false;
        for (const text of texts) if (!signal.aborted) parts.heard(text);
        return true;
      },
    });
  }

  run().catch((bug) => parts.trouble(String(bug)));
  return { close: () => closed.abort() };
}
