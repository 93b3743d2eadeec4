import type { CallAsk, CallReport } from "../shared/plugin-call.ts";

/** What the server part answered; undefined: there is none, or not in time. */
export type Answer = { ok: boolean; text?: string | undefined; status?: unknown; relay?: string | undefined };

/** Calls to the server part through opencode itself (2.x). Nothing here rejects. */
export type PluginCalls = {
  report(report: CallReport): Promise<Answer | undefined>;
  gone(viewer: string): Promise<void>;
  raised(viewer: string, request: number, ok: boolean): Promise<void>;
  ask(ask: CallAsk): Promise<Answer | undefined>;
  /** Frames for this viewer, as a relay would send them. */
  onWish(viewer: string, wished: (frame: string) => void): () => void;
};
