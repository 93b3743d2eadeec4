import type { Clock } from "../../src/shared/clock.ts";
import type { MakeID } from "./ids.ts";
import {
  type AssistantMessage,
  type ErrorInfo,
  type Finish,
  scriptedModel,
  someTokens,
  type ToolPart,
  type ToolState,
} from "./records.ts";
import type { Session } from "./session.ts";
import type { Log } from "./session-log.ts";

export type StepLogDeps = { clock: Clock; id: MakeID; log: Log };
export type StepLog = ReturnType<typeof createStepLog>;

export const aborted = {
  tool: { type: "aborted", message: "Tool execution interrupted" },
  step: { type: "aborted", message: "Step interrupted" },
} satisfies Record<string, ErrorInfo>;

/** One model call and its tools (§4.2, §4.5), kept in an assistant message (§5.2). */
export function createStepLog({ clock, id, log }: StepLogDeps) {
  const of = (message: AssistantMessage) => ({ assistantMessageID: message.id });
  const spent = { cost: 0, tokens: someTokens };

  function begun(session: Session, message: AssistantMessage) {
    const { agent, model } = message;
    log.emit(session, "session.step.started", { ...of(message), agent, model, started: clock.wall() });
  }

  return {
    started(session: Session): AssistantMessage {
      const message: AssistantMessage = {
        id: id("msg"),
        time: { created: clock.wall() },
        type: "assistant",
        agent: session.info.agent ?? "build",
        model: scriptedModel,
        content: [],
      };
      session.messages.push(message);
      begun(session, message);
      return message;
    },
    /** §4.2: after a wait, with the same message. */
    restarted(session: Session, message: AssistantMessage) {
      delete message.retry;
      begun(session, message);
    },
    ended(session: Session, message: AssistantMessage, finish: Finish, rawFinish?: string) {
      message.finish = finish;
      message.time.completed = clock.wall();
      const raw = rawFinish === undefined ? {} : { rawFinish };
      log.emit(session, "session.step.ended", { ...of(message), finish, ...raw, ...spent });
      log.usage(session);
    },
    failed(session: Session, message: AssistantMessage, error: ErrorInfo) {
      message.finish = "error";
      message.error = error;
      message.time.completed = clock.wall();
      log.emit(session, "session.step.failed", { ...of(message), error });
    },
    retrying(session: Session, message: AssistantMessage, retry: { attempt: number; at: number; error: ErrorInfo }) {
      message.retry = retry;
      log.emit(session, "session.retry.scheduled", { ...of(message), ...retry });
    },
    textStarted: (session: Session, message: AssistantMessage) =>
      log.emit(session, "session.text.started", { ...of(message), ordinal: message.content.length }),
    textDelta: (session: Session, message: AssistantMessage, delta: string) =>
      log.emit(session, "session.text.delta", { ...of(message), ordinal: message.content.length, delta }),
    textEnded(session: Session, message: AssistantMessage, text: string) {
      const ordinal = message.content.push({ type: "text", text }) - 1;
      log.emit(session, "session.text.ended", { ...of(message), ordinal, text });
    },
    /** §4.5: `session.tool.input.started` is the only tool event with the name. */
    toolCalled(
      session: Session,
      message: AssistantMessage,
      name: string,
      input: unknown,
      callID = id("call"),
    ): ToolPart {
      const part: ToolPart = {
        type: "tool",
        id: callID,
        name,
        executed: false,
        state: { status: "streaming", input: "" },
      };
      message.content.push(part);
      const text = JSON.stringify(input);
      log.emit(session, "session.tool.input.started", { ...of(message), id: callID, name });
      log.emit(session, "session.tool.input.delta", { ...of(message), id: callID, delta: text });
      log.emit(session, "session.tool.input.ended", { ...of(message), id: callID, text });
      part.state = { status: "running", input };
      log.emit(session, "session.tool.called", { ...of(message), id: callID, input, executed: false });
      return part;
    },
    /** §4.6: links a `subagent` call to its child. */
    toolProgress(session: Session, message: AssistantMessage, part: ToolPart, metadata: Record<string, unknown>) {
      part.state = { status: "running", input: inputOf(part.state), metadata };
      log.emit(session, "session.tool.progress", { ...of(message), id: part.id, metadata });
    },
    toolSucceeded(
      session: Session,
      message: AssistantMessage,
      part: ToolPart,
      result: { content: unknown[]; metadata?: Record<string, unknown> },
    ) {
      part.state = { status: "completed", input: inputOf(part.state), ...result };
      log.emit(session, "session.tool.success", { ...of(message), id: part.id, ...result, executed: false });
    },
    toolFailed(session: Session, message: AssistantMessage, part: ToolPart, error: ErrorInfo) {
      part.state = { status: "error", input: inputOf(part.state), error };
      log.emit(session, "session.tool.failed", { ...of(message), id: part.id, error, executed: false });
    },
  };
}

const inputOf = (state: ToolState): unknown => state.input;
