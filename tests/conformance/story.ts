import { type Deed, text } from "./deeds.ts";
import type { Hooks } from "./hooks.ts";
import type { Decision } from "./permission-registry.ts";
import type { ErrorInfo, InboxItem, InterruptReason } from "./records.ts";
import type { ServerProcess } from "./server-process.ts";
import type { Session } from "./session.ts";
import { createTeller } from "./story-teller.ts";

type Metadata = Record<string, unknown>;

/** Each word writes what the host would send, at once, and gives the story back. */
export type Story = {
  id: string;
  session: Session;
  /** The request id behind a key. */
  ask(key: string): string;
  /** A person's prompt: starts a run, or waits in the inbox of the one that goes on. */
  typed(words?: string, how?: { delivery?: "steer" | "queue"; as?: string }): Story;
  /** §4.6: a background result, a notice, a plugin's text. */
  woken(metadata: Metadata, how?: { wakes?: boolean; as?: string }): Story;
  enqueues(item: InboxItem, as?: string): Story;
  delivers(as?: string): Story;
  cancels(as?: string): Story;
  starts(): Story;
  /** One model call with all it does, from its start to its end. */
  step(...deeds: Deed[]): Story;
  opensStep(): Story;
  closesStep(): Story;
  stepFails(error: ErrorInfo): Story;
  /** A tool call that stays open until it finishes or breaks. */
  begins(key: string, name?: string, input?: Metadata): Story;
  progresses(key: string, metadata: Metadata): Story;
  finishes(key: string, metadata?: Metadata): Story;
  breaks(key: string): Story;
  retries(attempt: number): Story;
  triesAgain(): Story;
  /** A permission, of an open tool or of none. */
  asks(key: string, what?: { action?: string; forTool?: string; resource?: string }): Story;
  replied(key: string, decision?: Decision, message?: string): Story;
  /** A form: the question tool's own when it is of an open tool, else as MCP servers make them. */
  shows(key: string, what?: { forTool?: string; title?: string; header?: string }): Story;
  answered(key: string): Story;
  dismissed(key: string): Story;
  succeeds(): Story;
  fails(error?: ErrorInfo): Story;
  interrupted(reason?: InterruptReason): Story;
  compacts(reason: "auto" | "manual"): Story;
  renamed(title: string): Story;
  viewed(): Story;
  deleted(): Story;
  /** Any event of this session that needs no record. */
  tells(type: string, data?: Metadata): Story;
};

const refused: ErrorInfo = { type: "provider.auth", message: "HTTP 401" };
const overloaded: ErrorInfo = { type: "provider.internal", message: "Overloaded" };

/**
 * Writes what a session of the host does in the order of the contract's sequences (§4, §5):
 * `session("S").typed().step(tool("shell")).succeeds()`. Records, registries and hooks follow along.
 */
export function tellSession(server: ServerProcess, hooks: Hooks, session: Session): Story {
  const { log, steps, permissions, forms, id, clock } = server;
  const teller = createTeller(server, hooks, session);
  const asks = new Map<string, string>();
  const and =
    <Given extends unknown[]>(write: (...given: Given) => unknown) =>
    (...given: Given): Story => {
      write(...given);
      return story;
    };
  function ask(key: string): string {
    const requestID = asks.get(key);
    if (requestID === undefined) throw new Error(`no ask ${key}`);
    return requestID;
  }
  const sourceOf = (key: string | undefined) =>
    key === undefined ? undefined : { messageID: teller.message().id, id: teller.openTool(key).id };

  function enqueue(item: InboxItem, as: string, starts: boolean) {
    teller.enqueue(item, as);
    if (!starts || teller.isRunning()) return;
    teller.begin();
    teller.deliver(as);
  }

  function compact(reason: "auto" | "manual") {
    log.emit(session, "session.compaction.started", { reason });
    const base = { id: id("msg"), time: { created: clock.wall() } };
    session.messages.push({ ...base, type: "compaction", status: "completed", reason });
    log.emit(session, "session.compaction.ended", { reason });
  }

  const story: Story = {
    id: session.id,
    session,
    ask,
    typed: and((words = "please look at it", { delivery = "steer", as = "prompt" } = {}) =>
      enqueue({ type: "user", payload: { text: words }, delivery }, as, true),
    ),
    woken: and((metadata, { wakes = true, as = "synthetic" } = {}) =>
      enqueue({ type: "synthetic", payload: { text: "<result>", metadata }, delivery: "steer" }, as, wakes),
    ),
    enqueues: and((item, as = "prompt") => enqueue(item, as, false)),
    delivers: and((as = "prompt") => teller.deliver(as)),
    cancels: and((as = "prompt") => teller.cancel(as)),
    starts: and(teller.begin),
    step: and((...deeds) => {
      const message = teller.openStep();
      for (const deed of deeds.length > 0 ? deeds : [text()]) teller.does(deed);
      steps.ended(session, message, deeds.some(({ kind }) => kind === "tool") ? "tool-calls" : "stop");
    }),
    opensStep: and(teller.openStep),
    closesStep: and(() => steps.ended(session, teller.message(), "tool-calls")),
    stepFails: and((error) => steps.failed(session, teller.message(), error)),
    begins: and((key, name = key, input = {}) => teller.begins(key, name, input)),
    progresses: and((key, metadata) => steps.toolProgress(session, teller.message(), teller.openTool(key), metadata)),
    finishes: and((key, metadata) => teller.endsTool(key, "works", metadata)),
    breaks: and((key) => teller.endsTool(key, "fails")),
    retries: and((attempt) =>
      steps.retrying(session, teller.message(), { attempt, at: clock.wall() + 2_000, error: overloaded }),
    ),
    triesAgain: and(() => steps.restarted(session, teller.message())),
    asks: and((key, { action = "shell", forTool, resource = "make test" } = {}) => {
      const source = sourceOf(forTool);
      const request = { id: id("per"), sessionID: session.id, action, resources: [resource], save: [resource] };
      asks.set(key, request.id);
      const whole = source === undefined ? request : { ...request, source: { type: "tool" as const, ...source } };
      void permissions.pend(session, whole, teller.signal());
    }),
    replied: and((key, decision = "once", message) => permissions.reply(ask(key), decision, message)),
    shows: and((key, { forTool, title = "Questions", header = "Database" } = {}) => {
      const source = sourceOf(forTool);
      const metadata = source === undefined ? {} : { metadata: { kind: "question", tool: source } };
      const fields = [{ key: "q0", type: "string", title: header, description: "Which one?", custom: true }];
      asks.set(key, forms.create({ owner: session, title, fields, ...metadata }, teller.signal()).form.id);
    }),
    answered: and((key) => forms.reply(ask(key), { q0: "Postgres" })),
    dismissed: and((key) => forms.cancel(ask(key))),
    succeeds: and(() => teller.end({ outcome: "succeeded" })),
    fails: and((error = refused) => teller.end({ outcome: "failed", error })),
    interrupted: and((reason = "user") => teller.end({ outcome: "interrupted", reason })),
    compacts: and(compact),
    renamed: and((title) => log.renamed(session, title)),
    viewed: and(() => log.viewed(session, session.info.time.idle ?? 0)),
    deleted: and(() => log.deleted(session)),
    tells: and((type, data = {}) => log.emit(session, type, data)),
  };
  return story;
}
