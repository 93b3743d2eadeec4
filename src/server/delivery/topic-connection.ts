import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../shared/clock.ts";
import type { Environment } from "./find-program.ts";
import { type BodyEnd, readAnswer } from "./http-client.ts";

/** Why a connection ended; `final`: another one would end no better. No address is ever in it. */
export type End = { why: string; bytes: number; final?: true };

export type TopicConnectionParts = {
  url: string;
  token?: string | undefined;
  env: Environment;
  clock: Clock;
  signal: AbortSignal;
  /** More than this is nobody who only keeps a stream alive, bytes. */
  mostBytes: number;
  /** False: this is not what we came to hear. */
  read(chunk: string): boolean;
};

/** ntfy answers at once, ms. */
const answerMs = 10_000;
/** ntfy says something every 45 s (`keepalive-interval`); a stream that says nothing for this long is dead, ms. */
const silentMs = 150_000;

/** Reads a streaming answer until it ends, or is not what we came to hear. */
export async function readStream(parts: TopicConnectionParts): Promise<End> {
  const { url, token, env, clock, signal, mostBytes, read } = parts;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const text = new StringDecoder("utf8"); // a character may be cut in two
  const ended = await readAnswer(
    { url, method: "GET", headers },
    { env, clock, headMs: answerMs, signal },
    { silentMs, mostBytes, read: (data) => read(text.write(data)) },
  );
  if (ended.ok) return { ...endOf(ended.value), bytes: ended.value.bytes };
  const { kind, detail } = ended.error;
  if (kind === "broken") return { why: detail, bytes: 0, final: true };
  return { why: kind === "timeout" ? "no answer" : "the connection broke", bytes: 0 };
}

function endOf({ status, end }: BodyEnd): Omit<End, "bytes"> {
  if (status !== 200) return refusalOf(status);
  if (end === "server") return { why: "the server ended it" };
  if (end === "silence") return { why: "silence" };
  return { why: "what it says is not ntfy's", final: true };
}

/** A busy or broken server is asked again; one that says no, or sends us elsewhere, is not. */
function refusalOf(status: number): Omit<End, "bytes"> {
  const passes = status === 408 || status === 425 || status === 429 || status >= 500;
  return { why: `HTTP ${status}`, ...(passes ? {} : { final: true as const }) };
}
