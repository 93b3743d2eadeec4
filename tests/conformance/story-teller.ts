import type { Deed } from "./deeds.ts";
import type { Hooks } from "./hooks.ts";
import type { AssistantMessage, InboxItem, ToolPart } from "./records.ts";
import type { ServerProcess } from "./server-process.ts";
import type { Session } from "./session.ts";
import type { Ending } from "./session-log.ts";
import { aborted } from "./step-log.ts";

type Turn = { controller: AbortController; message?: AssistantMessage; open: Map<string, ToolPart> };

/** The run of one session as a story writes it: what is open, and what an end does to it. */
export function createTeller(server: ServerProcess, hooks: Hooks, session: Session) {
  const { log, steps, id } = server;
  const inbox = new Map<string, string>();
  let turn: Turn | undefined;

  const hook = (name: string, event: Record<string, unknown>) => void hooks.run(name, event);
  const inTurn = (): Turn => turn ?? begin();

  function begin(): Turn {
    const begun: Turn = { controller: new AbortController(), open: new Map() };
    turn = begun;
    log.started(session);
    return begun;
  }

  function openStep(): AssistantMessage {
    const message = steps.started(session);
    inTurn().message = message;
    return message;
  }
  const message = (): AssistantMessage => inTurn().message ?? openStep();

  function begins(key: string, name: string, input: Record<string, unknown>) {
    const step = message();
    inTurn().open.set(key, steps.toolCalled(session, step, name, input));
  }

  const callOf = (part: ToolPart) => ({
    ...{ sessionID: session.id, agent: message().agent, messageID: message().id, id: part.id },
    ...{ tool: part.name, input: part.state.input },
  });

  function endsTool(key: string, outcome: "works" | "fails", metadata?: Record<string, unknown>) {
    const part = openTool(key);
    inTurn().open.delete(key);
    if (outcome === "works") {
      const content = [{ type: "text", text: "ok" }];
      hook("tool.execute.after", { ...callOf(part), status: "completed", result: { type: "content", value: content } });
      return steps.toolSucceeded(session, message(), part, {
        content,
        ...(metadata === undefined ? {} : { metadata }),
      });
    }
    const error = { type: "unknown", message: "it failed" };
    hook("tool.execute.after", { ...callOf(part), status: "error", error });
    steps.toolFailed(session, message(), part, error);
  }

  function openTool(key: string): ToolPart {
    const part = inTurn().open.get(key);
    if (part === undefined) throw new Error(`no open tool ${key}`);
    return part;
  }

  return {
    begin,
    openStep,
    message,
    begins,
    endsTool,
    openTool,
    isOpen: (key: string) => inTurn().open.has(key),
    isRunning: () => turn !== undefined,
    signal: () => inTurn().controller.signal,
    enqueue(item: InboxItem, key: string) {
      const inboxID = id("msg");
      inbox.set(key, inboxID);
      const { payload, delivery } = item;
      const prompt = { text: payload.text };
      if (item.type === "user")
        hook("session.prompt", { sessionID: session.id, messageID: inboxID, prompt, metadata: {}, delivery });
      log.enqueued(session, item, inboxID);
    },
    deliver: (key: string) => log.delivered(session, inbox.get(key) ?? ""),
    cancel: (key: string) => log.cancelled(session, inbox.get(key) ?? ""),
    does(deed: Deed) {
      if (deed.kind === "text") {
        steps.textStarted(session, message());
        steps.textDelta(session, message(), deed.text);
        return steps.textEnded(session, message(), deed.text);
      }
      begins(deed.name, deed.name, deed.input);
      const call = callOf(openTool(deed.name));
      const result = { type: "content", value: [] };
      for (const wrapped of deed.wraps)
        hook("tool.execute.after", { ...call, tool: wrapped, input: {}, status: "completed", result });
      endsTool(deed.name, deed.outcome);
    },
    /** §4.4: asks go without a reply, forms are cancelled, open tools and the open step are aborted. */
    end(ending: Ending) {
      const { controller, open } = inTurn();
      controller.abort();
      const last = inTurn().message;
      if (last !== undefined) {
        for (const part of open.values()) steps.toolFailed(session, last, part, aborted.tool);
        if (last.finish === undefined && ending.outcome === "interrupted") steps.failed(session, last, aborted.step);
      }
      turn = undefined;
      log.ended(session, ending);
    },
  };
}
