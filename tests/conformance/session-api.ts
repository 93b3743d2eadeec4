import type { Location } from "./event.ts";
import type { Executor } from "./executor.ts";
import type { Hooks } from "./hooks.ts";
import type { MakeID } from "./ids.ts";
import type { InboxItem, SessionInfo, SessionMessage } from "./records.ts";
import { contextOf, type NewSession, type Session } from "./session.ts";
import type { Log } from "./session-log.ts";

/** As the real one answers (fixture session-delete). */
class SessionNotFound extends Error {
  readonly _tag = "SessionNotFoundError";
  readonly sessionID: string;
  constructor(sessionID: string) {
    super(`Session not found: ${sessionID}`);
    this.sessionID = sessionID;
  }
}

export type SessionApiDeps = {
  id: MakeID;
  log: Log;
  executor: Executor;
  sessions: Map<string, Session>;
  newSession(from: NewSession): Session;
  /** §2.5: naming a location boots it. */
  activate(location: Location): Promise<Hooks>;
  wall(): number;
};

type Say = {
  sessionID: string;
  text: string;
  resume?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
};

/** What clients and plugins can do with sessions. */
export function createSessionApi(deps: SessionApiDeps) {
  const { id, log, executor, sessions } = deps;

  function known(sessionID: string): Session {
    const session = sessions.get(sessionID);
    if (session === undefined || session.deleted) throw new SessionNotFound(sessionID);
    return session;
  }

  /** §3.5: once a user item, also for the API and for plugins; it may change what is admitted. */
  async function admit(session: Session, text: string, delivery: "steer" | "queue", metadata: Record<string, unknown>) {
    const hooks = await deps.activate(session.location);
    const messageID = id("msg");
    const event = { sessionID: session.id, messageID, prompt: { text }, metadata, delivery };
    const admitted = await hooks.run("session.prompt", event);
    const payload = { text: admitted.prompt.text, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
    log.enqueued(session, { type: "user", payload, delivery: admitted.delivery }, messageID);
    return messageID;
  }

  function enqueue(session: Session, item: InboxItem, resume: boolean | undefined) {
    const inboxID = log.enqueued(session, item);
    if (resume !== false) executor.wake(session);
    return { id: inboxID };
  }

  return {
    known,
    get: (sessionID: string): SessionInfo => structuredClone(known(sessionID).info),
    context: (sessionID: string): SessionMessage[] => contextOf(known(sessionID)),
    async create(from: { [Key in keyof NewSession]: NewSession[Key] | undefined }): Promise<SessionInfo> {
      const { location = { directory: "/" } } = from;
      await deps.activate(location);
      const given = Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined));
      const session = deps.newSession({ ...given, location });
      log.created(session);
      return structuredClone(session.info);
    },
    async prompt({
      sessionID,
      text,
      delivery = "steer",
      resume,
      metadata = {},
    }: Say & { delivery?: "steer" | "queue" | undefined }) {
      const session = known(sessionID);
      const messageID = await admit(session, text, delivery, metadata);
      if (resume !== false) executor.wake(session);
      return { id: messageID, sessionID };
    },
    synthetic({ sessionID, text, description, metadata, resume }: Say & { description?: string | undefined }) {
      const payload = {
        text,
        ...(description === undefined ? {} : { description }),
        ...(metadata === undefined ? {} : { metadata }),
      };
      return enqueue(known(sessionID), { type: "synthetic", payload, delivery: "steer" }, resume);
    },
    compact: (sessionID: string) =>
      enqueue(known(sessionID), { type: "compaction", payload: {}, delivery: "steer" }, true),
    interrupt: (sessionID: string): Promise<boolean> => executor.interrupt(known(sessionID), "user"),
    async wait(sessionID: string): Promise<void> {
      while (executor.isRunning(known(sessionID))) await executor.ended(known(sessionID));
    },
    /** Fixture session-delete-running: the run ends first, then the session; its children go with it. */
    async remove(sessionID: string): Promise<void> {
      const session = known(sessionID);
      await executor.interrupt(session, "user");
      for (const child of [...sessions.values()])
        if (child.info.parentID === sessionID && !child.deleted) {
          await executor.interrupt(child, "user");
          log.deleted(child);
        }
      log.deleted(session);
    },
    /** §4.2, empty executions: clearing an undo wakes the session, and there is nothing to do. */
    clearUndo: (sessionID: string) => executor.wake(known(sessionID)),
    /** §4.4: no signal of anything. */
    selectAgent(sessionID: string, agent: string) {
      const session = known(sessionID);
      session.info.agent = agent;
      log.emit(session, "session.agent.selected", { agent });
    },
    rename: (sessionID: string, title: string) => log.renamed(known(sessionID), title),
    /** §2.5: sessions can move. */
    async move(sessionID: string, location: Location) {
      await deps.activate(location);
      log.moved(known(sessionID), location);
    },
    /** §4.5: a fork is not a child, and no `session.created` is sent for it (fixture session-ops). */
    fork(sessionID: string): SessionInfo {
      const from = known(sessionID);
      const fork = deps.newSession({ title: from.info.title, location: from.location });
      fork.info.fork = { sessionID };
      fork.messages = contextOf(from);
      log.forked(fork, sessionID, from.messages.length);
      return structuredClone(fork.info);
    },
    /** Fixture user-shell: told apart from work by having no step. */
    async shell(sessionID: string, command: string) {
      const session = known(sessionID);
      await deps.activate(session.location);
      const shell = { id: id("sh"), status: "running", command, cwd: session.location.directory };
      log.emitBeside(session, "shell.created", { info: shell });
      log.emit(session, "session.shell.started", { shellID: shell.id });
      const message = { id: id("msg"), time: { created: deps.wall() } };
      session.messages.push({ ...message, type: "shell", shellID: shell.id, command, status: "exited", exit: 0 });
      log.emitBeside(session, "shell.exited", { id: shell.id, exit: 0, status: "exited" });
      log.emit(session, "session.shell.ended", { shellID: shell.id });
      executor.wake(session);
    },
    /** §4.7: set by a terminal that is focused and shows it; once an idle. */
    view(sessionID: string, idle: number) {
      const session = known(sessionID);
      if ((session.info.time.viewed ?? 0) < idle) log.viewed(session, idle);
    },
  };
}

export type SessionApi = ReturnType<typeof createSessionApi>;
