import type { EngineDeps, Executions, Services } from "./engine.ts";
import { pause } from "./pause.ts";
import type { InboxItem, InterruptReason } from "./records.ts";
import { createRun, type Run, TurnFailed } from "./run.ts";
import type { Session } from "./session.ts";
import type { Ending } from "./session-log.ts";
import { createTurns } from "./turn.ts";

type Running = { run: Run; done: Promise<Ending> };

/** Executions of all sessions: at most one at a time each, and one terminal event a busy period (§4.2). */
export function createExecutor(deps: EngineDeps) {
  const { clock, log, options, servicesOf } = deps;
  const running = new Map<string, Running>();
  const lastEnding = new Map<string, Ending>();
  const instructed = new Set<string>();

  const executions: Executions = {
    /** §4.2: a wake-up while it runs starts nothing; the drain finds what was enqueued. */
    wake(session) {
      if (session.deleted || running.has(session.id)) return;
      const run = createRun();
      running.set(session.id, { run, done: execute(session, run) });
    },
    async ended(session) {
      const ending = (await running.get(session.id)?.done) ?? lastEnding.get(session.id);
      if (ending === undefined) throw new Error(`${session.id} never ran`);
      return ending;
    },
    async interrupt(session, reason) {
      const now = running.get(session.id);
      now?.run.stop(reason);
      await now?.done;
      return now !== undefined;
    },
  };
  const turns = createTurns(deps, executions);

  /** Fixtures: told once a session, before its first prompt is delivered. */
  function instruct(session: Session) {
    if (instructed.has(session.id) || session.inbox.every(({ item }) => item.type === "compaction")) return;
    instructed.add(session.id);
    log.emit(session, "session.instructions.updated", { delta: { "core/environment": "0" } });
    turns.entitle(session);
  }

  /** §4.2: steers first, all of them; of what was queued one at a time. */
  function deliverNext(session: Session): InboxItem[] {
    const steers = session.inbox.filter(({ item }) => item.delivery === "steer");
    const next = steers.length > 0 ? steers : session.inbox.slice(0, 1);
    return next.map(({ id, item }) => {
      const quiet = item.type === "compaction" && !options.compactionDelivered;
      if (quiet) session.inbox = session.inbox.filter((each) => each.id !== id);
      else log.delivered(session, id);
      return item;
    });
  }

  async function drain(session: Session, run: Run, services: Services) {
    while (session.inbox.length > 0) {
      run.signal.throwIfAborted();
      const items = deliverNext(session);
      if (items.some(({ type }) => type === "compaction")) await turns.compact(session, run, "manual");
      if (items.some(({ type }) => type === "user" || type === "synthetic")) await turns.play(session, run, services);
    }
  }

  async function work(session: Session, run: Run): Promise<Ending> {
    try {
      await pause(clock, options.stepMs, run.signal);
      log.started(session);
      await pause(clock, options.stepMs, run.signal);
      const services = await servicesOf(session);
      instruct(session);
      await drain(session, run, services);
      // The gap in which a steered prompt is left unread (§4.2).
      await pause(clock, options.stepMs, run.signal);
      return { outcome: "succeeded" };
    } catch (error) {
      const reason = run.stoppedBy();
      if (reason !== undefined) return { outcome: "interrupted", reason };
      if (error instanceof TurnFailed) return { outcome: "failed", error: error.info };
      throw error;
    }
  }

  async function execute(session: Session, run: Run): Promise<Ending> {
    const ending = await work(session, run);
    lastEnding.set(session.id, ending);
    running.delete(session.id);
    log.ended(session, ending);
    // §4.2: a prompt left unread starts a successor at once; after a stop it stays where it is.
    if (ending.outcome !== "interrupted" && session.inbox.length > 0) executions.wake(session);
    return ending;
  }

  return {
    ...executions,
    isRunning: (session: Session) => running.has(session.id),
    runningIDs: () => [...running.keys()],
    async interruptAll(reason: InterruptReason, ids: string[] = [...running.keys()]) {
      await Promise.all(
        ids.map((id) => {
          const now = running.get(id);
          now?.run.stop(reason);
          return now?.done;
        }),
      );
    },
  };
}

export type Executor = ReturnType<typeof createExecutor>;
