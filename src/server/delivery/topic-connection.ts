import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getSecure } from "node:https";
import type { Clock } from "../../shared/clock.ts";

/** Why a connection ended; `final`: another one would end no better. No address is ever in it. */
export type End = { why: string; final?: true };

export type TopicConnectionParts = {
  url: string;
  token?: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** False: this is not what we came to hear. */
  read(chunk: string): boolean;
};

/** ntfy answers at once, ms. */
const answerMs = 10_000;
/** ntfy says something every 45 s (`keepalive-interval`); a stream that says nothing for this long is dead, ms. */
const silentMs = 150_000;

/**
 * Reads a streaming answer until it ends. By `node:http`, which follows no redirect and, unlike `fetch`, keeps no process
 * alive where the runtime can let go of a socket (Node, and Bun from 1.4 on; elsewhere until the signal).
 */
export function readStream({ url, token, clock, signal, read }: TopicConnectionParts): Promise<End> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const get = url.startsWith("https:") ? getSecure : getPlain;
    const request = get(url, { headers, agent: false }, follow);
    let cancel = clock.after(answerMs, () => end({ why: "no answer" }));
    let over = false;
    const stop = (): void => end({ why: "closed" });
    const lost = (): void => end({ why: "the connection broke" });

    function end(why: End): void {
      over = true;
      cancel();
      signal.removeEventListener("abort", stop);
      request.destroy();
      resolve(why);
    }

    function follow(response: IncomingMessage): void {
      response.on("error", lost);
      const refusal = refusalOf(response.statusCode ?? 0);
      if (refusal !== undefined) return end(refusal);
      response.setEncoding("utf8");
      response.on("data", hear);
      response.on("end", () => end({ why: "the server ended it" }));
    }

    function hear(chunk: string): void {
      if (over) return;
      cancel();
      cancel = clock.after(silentMs, () => end({ why: "silence" }));
      if (!read(chunk)) end({ why: "what it says is not ntfy's", final: true });
    }

    request.on("socket", (socket) => socket.unref());
    request.on("error", lost);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Undefined: it listens to us. A busy or broken server is asked again; one that says no, or sends us elsewhere, is not. */
function refusalOf(status: number): End | undefined {
  if (status === 200) return undefined;
  const passes = status === 408 || status === 425 || status === 429 || status >= 500;
  return { why: `HTTP ${status}`, ...(passes ? {} : { final: true as const }) };
}
