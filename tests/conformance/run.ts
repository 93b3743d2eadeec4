import type { ErrorInfo, InterruptReason } from "./records.ts";

/** One execution of a session: a busy period (§4.2). */
export type Run = {
  signal: AbortSignal;
  /** Why it was stopped, once it was. The first reason stays. */
  stoppedBy(): InterruptReason | undefined;
  stop(reason: InterruptReason): void;
};

class Stopped extends Error {}

/** The model's provider gave up on it: the execution fails. */
export class TurnFailed extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo) {
    super(info.message);
    this.info = info;
  }
}

/** A tool call ended without a result; the model is told and goes on. */
export class ToolFailed extends Error {
  readonly info: ErrorInfo;
  constructor(info: ErrorInfo) {
    super(info.message);
    this.info = info;
  }
}

export function createRun(): Run {
  const controller = new AbortController();
  let stopped: InterruptReason | undefined;
  return {
    signal: controller.signal,
    stoppedBy: () => stopped,
    stop(reason) {
      if (stopped !== undefined) return;
      stopped = reason;
      controller.abort(new Stopped(reason));
    },
  };
}
