import type { Ask } from "./event.ts";

/** settling: inside its window · told: announced or batched with one that was · known: never to be announced. */
type OpenAsk = Ask & { stage: "settling" | "told" | "known"; askedAt: number };

/** A session's open asks, oldest first. Plain data. */
export type Asks = readonly OpenAsk[];

export const noAsks: Asks = [];

/** The same request again changes nothing until its reply has come (requirements.md A43). */
export const isOpen = (asks: Asks, requestID: string): boolean => asks.some((ask) => ask.requestID === requestID);

export const withAsk = (asks: Asks, ask: Ask, stage: OpenAsk["stage"], askedAt: number): Asks => [
  ...asks,
  { ...ask, stage, askedAt },
];

export const withoutAsk = (asks: Asks, requestID: string): Asks => asks.filter((ask) => ask.requestID !== requestID);

/** Is the window already open? It opens with the first ask and is not extended. */
export const windowOpen = (asks: Asks): boolean => asks.some((ask) => ask.stage === "settling");

/** Ends the window: those to be told together, and the asks afterwards. */
export function closeWindow(asks: Asks): { due: Asks; asks: Asks } {
  const due = asks.filter((ask) => ask.stage === "settling");
  return { due, asks: asks.map((ask) => (ask.stage === "settling" ? { ...ask, stage: "told" } : ask)) };
}

export const settlingAsks = (asks: Asks): Asks => asks.filter((ask) => ask.stage === "settling");
export const toldAsks = (asks: Asks): Asks => asks.filter((ask) => ask.stage === "told");
