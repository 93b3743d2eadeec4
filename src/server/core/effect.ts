import type { Config } from "../config/schema.ts";
import type { Note } from "../delivery/channel.ts";
import type { Decision } from "./decision.ts";
import type { Plan } from "./gate.ts";

export type PushTarget = Config["alerts"]["push"][number];

/** All that can come of an input. Plain data; whoever performs it answers the ones with an id by an input, also on failure. */
export type Effect =
  | { do: "look-up"; what: "session" | "messages"; lookUp: string; sessionID: string }
  | { do: "look-up"; what: "screen"; lookUp: string }
  | { do: "send"; delivery: string; note: Note; plan: Plan; terminal: Config["alerts"]["terminal"] }
  /** The process ends: to a program that outlives it, or nowhere. */
  | { do: "detach"; delivery: string; note: Note; wanted: boolean }
  | { do: "push"; delivery: string; note: Note; target: PushTarget; asks?: string }
  /** That request is open no more: no button on a phone answers it. */
  | { do: "close-push"; sessionID: string; requestID: string }
  /** Takes back what is up under that key, wherever it went. */
  | { do: "withdraw"; key: string; withdrawal?: string }
  /** Changes what is up; shows nothing anew. */
  | { do: "update"; note: Note; withdrawal?: string }
  /** One banner for several ends. */
  | { do: "show"; note: Note }
  | { do: "answer"; answer: string; by: string; sessionID: string; requestID: string; decision: "once" | "reject" }
  | { do: "go-to"; sessionID: string; token?: string }
  | { do: "record"; decision: Decision }
  | { do: "log"; text: string }
  /** A bug of ours; what it struck has its line. */
  | { do: "report-bug"; bug: unknown };
