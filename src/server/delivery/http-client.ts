import type { Socket } from "node:net";
import type { Clock } from "../../shared/clock.ts";
import { guarded } from "../../shared/guard.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Environment } from "./find-program.ts";
import { type AnswerHead, createBodyReader, createHeadReader } from "./http-answer.ts";
import { type HttpProxy, proxyFor } from "./http-proxy.ts";
import { codeOf, openSocket } from "./http-socket.ts";

export type HttpRequest = {
  url: string;
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string;
};

/** Neither address nor anything a server said is ever in a detail. */
export type HttpFailure = {
  kind:
    | "timeout" // no whole head in time
    | "lost" // no connection, or it broke
    | "broken"; // what came is not HTTP, or more than it may be
  detail: string;
};

export type HttpWays = {
  /** For its proxy variables. */
  env: Environment;
  clock: Clock;
  /** From the first step until the head is there, ms. */
  headMs: number;
  signal?: AbortSignal;
};

/** What is read of a body, and when it has been enough. */
export type BodyWays = {
  /** Nothing for so long ends it, ms. */
  silentMs: number;
  /** Bytes, framing included. */
  mostBytes: number;
  /** False: no more of it is wanted. */
  read(data: Buffer): boolean;
};

/** How an answer ended whose body was read; `bytes` came in all. */
export type BodyEnd = { status: number; bytes: number; end: "server" | "silence" | "unwanted" | "too long" | "broken" };

/**
 * Sends a request and says what status it was answered with. The body is never read: the connection is destroyed as soon
 * as the head is there. An HTTP client of our own, because neither `fetch` nor `node:http` is bounded in Bun: an endless
 * header or interim answers take either to gigabytes, and a compressed body is taken apart though nobody wants it
 * (Bun 1.3.14). A socket is bounded in Node and in every Bun.
 */
export async function askStatus(request: HttpRequest, ways: HttpWays): Promise<Result<number, HttpFailure>> {
  const answer = await converse(request, ways, () => undefined);
  return answer.ok ? ok(answer.value.status) : answer;
}

/** Reads the body of an answer, where the status is 200 and nothing compressed it, until it ends or has been enough. */
export const readAnswer = (
  request: HttpRequest,
  ways: HttpWays,
  body: BodyWays,
): Promise<Result<BodyEnd, HttpFailure>> =>
  converse(request, ways, ({ status }) => (status === 200 ? body : undefined));

async function converse(
  request: HttpRequest,
  ways: HttpWays,
  wants: (head: AnswerHead) => BodyWays | undefined,
): Promise<Result<BodyEnd, HttpFailure>> {
  const { env, clock, headMs, signal } = ways;
  const url = new URL(request.url);
  const proxy = proxyFor(url, env);
  if (!proxy.ok) return fail({ kind: "lost", detail: proxy.error });
  const text = requestText(request, url, proxy.value);
  if (text === undefined) return fail({ kind: "broken", detail: "a header has what no header can carry" });
  const over = new AbortController();
  let late = false;
  const stop = guarded("push", () => over.abort());
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const cancel = clock.after(headMs, () => {
    late = true;
    stop();
  });
  const talk = async (): Promise<Result<BodyEnd, HttpFailure>> => {
    const socket = await openSocket(url, proxy.value, over.signal);
    return socket.ok
      ? hearAnswer(socket.value, text, { clock, wants, headIsThere: cancel })
      : fail({ kind: "lost", detail: socket.error });
  };
  const answer = await Promise.race([talk(), abortOf(over.signal)]);
  cancel();
  signal?.removeEventListener("abort", stop);
  stop();
  return late ? fail({ kind: "timeout", detail: `no answer within ${headMs} ms` }) : answer;
}

/** A socket that was destroyed need not say so in every runtime. */
const abortOf = (signal: AbortSignal): Promise<Result<never, HttpFailure>> =>
  new Promise((resolve) => {
    const end = guarded("push", () => resolve(fail({ kind: "lost", detail: "closed" })));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });

/** Undefined where a header would break out of its line. `identity`: we could not even read what is compressed. */
function requestText({ method, headers, body = "" }: HttpRequest, url: URL, proxy: HttpProxy | undefined) {
  const viaProxy = proxy !== undefined && url.protocol === "http:";
  const target = `${viaProxy ? url.origin : ""}${url.pathname}${url.search}`;
  const all = {
    Host: url.host,
    Connection: "close",
    Accept: "*/*",
    "Accept-Encoding": "identity",
    "User-Agent": "opencode-beckon",
    ...headers,
    ...(method === "POST" ? { "Content-Length": String(Buffer.byteLength(body)) } : {}),
    ...(viaProxy && proxy.authorization !== undefined ? { "Proxy-Authorization": proxy.authorization } : {}),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  if (Object.values(all).some((value) => /[^\t\x20-\x7e]/.test(value))) return undefined;
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

type Hearing = { clock: Clock; wants(head: AnswerHead): BodyWays | undefined; headIsThere(): void };

function hearAnswer(socket: Socket, text: string, hearing: Hearing): Promise<Result<BodyEnd, HttpFailure>> {
  return new Promise((resolve) => {
    const readHead = createHeadReader();
    let status: number | undefined;
    let body: BodyReading | undefined;
    let over = false;
    const settle = (result: Result<BodyEnd, HttpFailure>) => {
      if (over) return;
      over = true;
      body?.stop();
      socket.destroy();
      resolve(result);
    };
    const end = (why: BodyEnd["end"]) => {
      if (status !== undefined) settle(ok({ status, bytes: body?.bytes() ?? 0, end: why }));
    };
    const lost = (detail: string) => settle(fail({ kind: "lost", detail }));

    function takeHead(chunk: Buffer): void {
      const answer = readHead(chunk);
      if (!answer.ok) return settle(fail({ kind: "broken", detail: answer.error }));
      if (answer.value === undefined) return;
      const { head, rest } = answer.value;
      hearing.headIsThere();
      status = head.status;
      const wanted = hearing.wants(head);
      if (wanted === undefined) return end("unwanted");
      body = readBody(head, wanted, hearing.clock, end);
      body.take(rest);
    }

    const hear = guarded("push", (chunk: Buffer) => {
      if (!over) (body?.take ?? takeHead)(chunk);
    });
    socket.on("data", hear);
    socket.on(
      "error",
      guarded("push", (error: Error) => lost(codeOf(error))),
    );
    socket.on(
      "end",
      guarded("push", () => end("server")),
    );
    socket.on(
      "close",
      guarded("push", () => lost("closed")),
    );
    socket.write(text, "utf8");
  });
}

type BodyReading = { take(chunk: Buffer): void; bytes(): number; stop(): void };

function readBody(
  head: AnswerHead,
  { silentMs, mostBytes, read }: BodyWays,
  clock: Clock,
  end: (why: BodyEnd["end"]) => void,
): BodyReading {
  const unframe = createBodyReader(head);
  const isPlain = /^(identity)?$/i.test(head.headers.get("content-encoding") ?? "");
  let bytes = 0;
  let stop = () => {};
  const endAfter = (chunk: Buffer): BodyEnd["end"] | undefined => {
    if (bytes > mostBytes) return "too long";
    const part = unframe(chunk);
    if (!part.ok || !isPlain) return "broken";
    if (!part.value.data.every((data) => data.length === 0 || read(data))) return "unwanted";
    return part.value.over ? "server" : undefined;
  };
  return {
    bytes: () => bytes,
    stop: () => stop(),
    take(chunk) {
      stop();
      stop = clock.after(silentMs, () => end("silence"));
      bytes += chunk.length;
      const why = endAfter(chunk);
      if (why !== undefined) end(why);
    },
  };
}
