import type { Call, EngineDeps, Executions, Services } from "./engine.ts";
import type { Answer } from "./model.ts";
import { forever, pause } from "./pause.ts";
import type { AssistantMessage, ErrorInfo, Finish } from "./records.ts";
import { type Run, ToolFailed, TurnFailed } from "./run.ts";
import { defaultTitle, type Session } from "./session.ts";
import { aborted } from "./step-log.ts";
import { createToolRunner } from "./tool-runner.ts";

const retryWaits = [2_000, 4_000, 8_000, 16_000, 32_000, 60_000];

/** The steps an execution takes for what was delivered (§4.2). */
export function createTurns(deps: EngineDeps, executions: Executions) {
  const { clock, log, steps, model, options } = deps;
  const runTool = createToolRunner(deps, executions);

  async function speak(
    session: Session,
    message: AssistantMessage,
    run: Run,
    answer: Extract<Answer, { kind: "text" }>,
  ) {
    let sent = "";
    steps.textStarted(session, message);
    try {
      for (const chunk of answer.chunks) {
        steps.textDelta(session, message, chunk);
        sent += chunk;
        await pause(clock, answer.chunkMs, run.signal);
      }
    } finally {
      steps.textEnded(session, message, sent); // also when stopped (fixture interrupt)
    }
  }

  async function hang(session: Session, message: AssistantMessage, run: Run) {
    steps.textStarted(session, message);
    steps.textDelta(session, message, "thinking... ");
    await forever(run.signal).finally(() => steps.textEnded(session, message, "thinking... "));
  }

  async function useTools(
    session: Session,
    message: AssistantMessage,
    run: Run,
    services: Services,
    calls: Extract<Answer, { kind: "tools" }>["calls"],
  ) {
    const parts = calls.map(({ name, input }): Call => {
      const part = steps.toolCalled(session, message, name, input);
      return { session, message, part, name, input, run, services };
    });
    const failures = await Promise.allSettled(parts.map(runTool));
    for (const result of failures) if (result.status === "rejected") throw result.reason;
  }

  /** §4.2, Failure: the waits of one model call, always with the same message. */
  async function ask(session: Session, run: Run): Promise<[AssistantMessage, Answer]> {
    let answer = model(session);
    if (answer.kind === "no-route") throw new TurnFailed(answer.error);
    const message = steps.started(session);
    for (let attempt = 1; answer.kind === "failure"; attempt++) {
      if (!answer.retryable || attempt >= options.maxAttempts) {
        steps.failed(session, message, answer.error);
        throw new TurnFailed(answer.error);
      }
      const waitMs = (retryWaits[attempt - 1] ?? 60_000) * options.retryScale;
      steps.retrying(session, message, {
        attempt: attempt + 1,
        at: Math.round(clock.wall() + waitMs),
        error: answer.error,
      });
      await pause(clock, waitMs, run.signal);
      steps.restarted(session, message);
      answer = model(session);
    }
    return [message, answer];
  }

  async function step(
    session: Session,
    run: Run,
    services: Services,
  ): Promise<{ finish: Finish; inputTokens: number }> {
    const [message, answer] = await ask(session, run);
    try {
      await pause(clock, options.stepMs, run.signal);
      if (answer.kind === "text") await speak(session, message, run, answer);
      if (answer.kind === "hang") await hang(session, message, run);
      if (answer.kind === "tools") await useTools(session, message, run, services, answer.calls);
    } catch (error) {
      const info: ErrorInfo = error instanceof ToolFailed ? error.info : aborted.step;
      steps.failed(session, message, info);
      if (answer.kind === "tools") log.usage(session); // the model had answered (fixture interrupt-permission)
      throw error;
    }
    const finish = answer.kind === "tools" ? "tool-calls" : answer.kind === "text" ? answer.finish : "stop";
    steps.ended(session, message, finish);
    return { finish, inputTokens: answer.kind === "text" ? answer.inputTokens : 0 };
  }

  async function compact(session: Session, run: Run, reason: "auto" | "manual") {
    const at = { id: deps.id("msg"), time: { created: clock.wall() } };
    log.emit(session, "session.compaction.started", { reason });
    session.messages.push({ ...at, type: "compaction", status: "completed", reason });
    await pause(clock, options.stepMs, run.signal);
    log.emit(session, "session.compaction.delta", { text: "Summary" });
    log.usage(session);
    log.emit(session, "session.compaction.ended", { reason });
  }

  return {
    compact,
    async play(session: Session, run: Run, services: Services) {
      for (;;) {
        const { finish, inputTokens } = await step(session, run, services);
        const full = inputTokens >= options.contextLimit;
        if (full) await compact(session, run, "auto");
        if (finish !== "tool-calls" && !full) return;
        await pause(clock, options.stepMs, run.signal);
        for (const { id, item } of session.inbox.filter((each) => each.item.delivery === "steer"))
          if (item.type === "user" || item.type === "synthetic") log.delivered(session, id);
      }
    },
    /** The title comes by itself and late; children and sessions named by somebody get none (fixtures). */
    entitle(session: Session) {
      const { info } = session;
      if (info.parentID !== undefined || info.title !== defaultTitle(info.time.created)) return;
      clock.after(options.titleMs, () => {
        if (!session.deleted) log.usage(session);
        log.renamed(session, "Scripted title"); // also of a deleted session (fixture session-delete)
      });
    },
  };
}
