import { lstat } from "node:fs/promises";
import {
  encode,
  type FromObserver,
  maxObserverFrameBytes,
  protocols,
  readToObserver,
  type ToObserver,
} from "../../../shared/protocol.ts";
import { socketProblem, unixPath } from "../../../shared/rendezvous.ts";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { cleanTitle } from "../../../shared/text.ts";

export type Observer = {
  send(frame: FromObserver): void;
  /** The next frame for which the predicate holds; undefined when the connection ended or the time was up. */
  next<F extends ToObserver>(isWanted: (frame: ToObserver) => frame is F, timeoutMs: number): Promise<F | undefined>;
  /** Every frame from now on; returns its own end. */
  listen(on: (frame: ToObserver) => void): () => void;
  ended: Promise<void>;
  close(): void;
};

/**
 * `noLibrary`: ws is not installed beside this command, so that no running opencode can be asked. `hangs`: it would say
 * no more if it were asked again.
 */
export type ObserveFailure = { noLibrary?: true; hangs?: true; detail: string };

const welcomeMs = 10_000;
const longestRefusal = 200;
export const hangs: ObserveFailure = { hangs: true, detail: "no answer within 10 s" };

/** Connects to a running opencode as an observer: it sees, and never counts as somebody looking. */
export async function observeRelay(relay: { url: string; token: string }): Promise<Result<Observer, ObserveFailure>> {
  const library = await import("ws").catch(() => undefined);
  if (library === undefined) return fail({ noLibrary: true, detail: "ws is not installed beside this command" });
  const path = unixPath(relay.url);
  const facts = path === undefined ? undefined : await lstat(path).catch(() => undefined);
  const problem = path === undefined ? undefined : socketProblem(facts, process.getuid?.());
  return problem === undefined ? connectTo(relay, library.WebSocket) : fail({ detail: problem });
}

async function connectTo(
  relay: { url: string; token: string },
  WebSocket: typeof import("ws").WebSocket,
): Promise<Result<Observer, ObserveFailure>> {
  const socket = new WebSocket(relay.url, { maxPayload: maxObserverFrameBytes, perMessageDeflate: false });
  const listeners = new Set<(frame: ToObserver) => void>();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  socket.on("open", () => {
    socket.send(encode({ type: "hello", role: "observer", protocols: [...protocols], token: relay.token }));
  });
  socket.on("message", (data) => {
    const frame = readToObserver(String(data));
    if (frame.ok) for (const on of [...listeners]) on(frame.value);
  });
  let refusal: string | undefined;
  socket.on("error", (error) => {
    refusal = error.message;
  });
  socket.on("close", (code, reason) => {
    refusal ??= "it closed the connection";
    if (code >= 4_000) refusal = `closed with ${code}${reason.length > 0 ? ` (${String(reason)})` : ""}`;
    end();
  });

  const listen = (on: (frame: ToObserver) => void) => {
    listeners.add(on);
    return () => void listeners.delete(on);
  };
  const next: Observer["next"] = (isWanted, timeoutMs) =>
    new Promise((resolve) => {
      const settle = (frame: Parameters<typeof resolve>[0]) => {
        clearTimeout(timer);
        stop();
        resolve(frame);
      };
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      const stop = listen((frame) => isWanted(frame) && settle(frame));
      void ended.then(() => settle(undefined));
    });
  const welcome = await next((frame) => frame.type === "welcome", welcomeMs);
  if (welcome === undefined) {
    socket.terminate();
    return fail(refusal === undefined ? hangs : { detail: cleanTitle(refusal, longestRefusal) });
  }
  return ok({
    send: (frame) => socket.readyState === socket.OPEN && socket.send(encode(frame)),
    next,
    listen,
    ended,
    close: () => socket.close(),
  });
}

type Framed<T extends ToObserver["type"]> = Extract<ToObserver, { type: T }>;

export const isFrame =
  <T extends ToObserver["type"]>(type: T) =>
  (frame: ToObserver): frame is Framed<T> =>
    frame.type === type;
