import type { Location } from "./event.ts";

/** §4.2 */
export type ErrorInfo = { type: string; message: string; status?: number };
/** §5.1 */
export type Outcome = "succeeded" | "failed" | "interrupted";
/** §4.3 */
export type InterruptReason = "user" | "shutdown" | "superseded" | "inactivity";
/** §4.5, `session.step.ended` */
export type Finish = "stop" | "length" | "tool-calls" | "content-filter" | "error" | "unknown";

/** §5.1. `parentID` is absent on roots and forks. */
export type SessionInfo = {
  id: string;
  projectID: string;
  title: string;
  slug: string;
  version: string;
  parentID?: string;
  fork?: { sessionID: string };
  location: Location;
  agent?: string;
  outcome?: Outcome;
  time: { created: number; updated: number; idle?: number; viewed?: number };
  cost: number;
  tokens: unknown;
  metadata?: Record<string, unknown>;
};

/** §4.5, inbox payloads. */
export type InboxPayload = { text?: string; description?: string; metadata?: Record<string, unknown> };
/** §4.5, `session.inbox.enqueued`. */
export type InboxItem = {
  type: "user" | "synthetic" | "compaction" | "move";
  payload: InboxPayload;
  delivery: "steer" | "queue";
};

/** §5.2, the state of a tool part. */
export type ToolState =
  | { status: "streaming"; input: string }
  | { status: "running"; input: unknown; metadata?: Record<string, unknown> }
  | { status: "completed"; input: unknown; content: unknown[]; metadata?: Record<string, unknown> }
  | { status: "error"; input: unknown; error: ErrorInfo };

export type ToolPart = { type: "tool"; id: string; name: string; executed: boolean; state: ToolState };
export type AssistantPart = { type: "text"; text: string } | { type: "reasoning"; text: string } | ToolPart;

type Base = { id: string; time: { created: number; completed?: number }; metadata?: Record<string, unknown> };

export type AssistantMessage = Base & {
  type: "assistant";
  agent: string;
  model: { id: string; providerID: string };
  content: AssistantPart[];
  finish?: Finish;
  error?: ErrorInfo;
  retry?: { attempt: number; at: number; error: ErrorInfo };
};

/** §5.2: told apart by `type`; no `role`, no `parts`, no `info`. */
export type SessionMessage =
  | (Base & { type: "user"; text: string })
  | (Base & { type: "synthetic"; text: string; description?: string })
  | AssistantMessage
  | (Base & { type: "shell"; shellID: string; command: string; status: string; exit?: number })
  | (Base & { type: "compaction"; status: "running" | "completed" | "failed"; reason: "auto" | "manual" })
  | (Base & { type: "idle"; outcome: Outcome })
  | (Base & { type: "agent-switched"; agent: string })
  | (Base & { type: "location-switched"; location: Location });

export const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
export const someTokens = { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } };
export const scriptedModel = { id: "fake-model", providerID: "fake" };
