import type { Location } from "./event.ts";
import { locationKey } from "./event.ts";
import type { Hooks } from "./hooks.ts";
import type { MakeID } from "./ids.ts";
import type { Publisher } from "./publisher.ts";
import type { Session } from "./session.ts";

/** §4.4, `permission.asked`. */
export type PermissionRequest = {
  id: string;
  sessionID: string;
  action: string;
  resources: string[];
  save?: string[];
  message?: string;
  metadata?: Record<string, unknown>;
  source?: { type: "tool"; messageID: string; id: string };
};

export type Decision = "once" | "always" | "reject";
/** `dropped`: the waiting tool call ended first, and nobody is told (§4.4). */
export type Verdict = { reply: Decision; message?: string } | { reply: "denied" } | { reply: "dropped" };

/** A saved rule that ends in `*` covers whatever begins like it. */
const covers = (rule: string, resource: string) =>
  rule.endsWith("*") ? resource.startsWith(rule.slice(0, -1)) : rule === resource;

type Waiting = { request: PermissionRequest; session: Session; settle(verdict: Verdict): void };

class RequestNotFound extends Error {
  readonly _tag = "PermissionNotFoundError";
}

export type PermissionRegistry = ReturnType<typeof createPermissionRegistry>;

/** Pending permission requests of the process and the rules saved by `always`. */
export function createPermissionRegistry({ id, publisher }: { id: MakeID; publisher: Publisher }) {
  const waiting = new Map<string, Waiting>();
  const saved: { action: string; resource: string }[] = [];

  const isSaved = ({ action, resources }: Pick<PermissionRequest, "action" | "resources">) =>
    resources.length > 0 &&
    resources.every((resource) => saved.some((rule) => rule.action === action && covers(rule.resource, resource)));

  function settle(entry: Waiting, verdict: { reply: Decision; message?: string }) {
    if (!waiting.delete(entry.request.id)) return;
    const { id: requestID } = entry.request;
    const data = { sessionID: entry.session.id, requestID, reply: verdict.reply };
    publisher.emit("permission.replied", data, { session: entry.session });
    entry.settle(verdict);
  }

  const ofSession = (sessionID: string) => [...waiting.values()].filter((entry) => entry.session.id === sessionID);

  /** §3.5: the hook runs for allowed actions too, and may change the effect. */
  async function effectOf(session: Session, request: PermissionRequest, hooks: Hooks): Promise<string> {
    const { action, resources } = request;
    const asks = session.asks.has(action) && !isSaved(request);
    const effect = session.denies.has(action) ? "deny" : asks ? "ask" : "allow";
    const agent = session.info.agent ?? "build";
    const event = { sessionID: session.id, agent, action, resources, effect, message: request.message };
    return String((await hooks.run("permission.evaluate", event)).effect);
  }

  /** Asks without looking at rules or hooks: what is pending when they left it at `ask`. */
  function pend(session: Session, request: PermissionRequest, signal: AbortSignal): Promise<Verdict> {
    return new Promise((resolve) => {
      waiting.set(request.id, { request, session, settle: resolve });
      signal.addEventListener("abort", () => waiting.delete(request.id) && resolve({ reply: "dropped" }), {
        once: true,
      });
      publisher.emit("permission.asked", request, { session });
    });
  }

  return {
    /** §4.4: `permission.asked` only when rules and hooks leave the effect at `ask`. */
    async ask(
      session: Session,
      ask: Omit<PermissionRequest, "id" | "sessionID">,
      hooks: Hooks,
      signal: AbortSignal,
    ): Promise<Verdict> {
      const request: PermissionRequest = { id: id("per"), sessionID: session.id, ...ask };
      const effect = await effectOf(session, request, hooks);
      if (effect === "allow") return { reply: "once" };
      if (effect === "deny") return { reply: "denied" };
      return signal.aborted ? { reply: "dropped" } : pend(session, request, signal);
    },
    pend,
    list: (sessionID: string) => ofSession(sessionID).map(({ request }) => structuredClone(request)),
    get(sessionID: string, requestID: string): PermissionRequest {
      const entry = waiting.get(requestID);
      if (entry === undefined || entry.session.id !== sessionID)
        throw new RequestNotFound(`Permission request not found: ${requestID}`);
      return structuredClone(entry.request);
    },
    /** §4.4, server-made replies: a reject takes the whole session with it, an always whatever it now covers. */
    reply(requestID: string, decision: Decision, message?: string) {
      const entry = waiting.get(requestID);
      if (entry === undefined) throw new RequestNotFound(`Permission request not found: ${requestID}`);
      if (decision === "always") {
        const { action, save, resources } = entry.request;
        for (const resource of save ?? resources) saved.push({ action, resource });
      }
      settle(entry, { reply: decision, ...(message === undefined ? {} : { message }) });
      if (decision === "reject") for (const other of ofSession(entry.session.id)) settle(other, { reply: "reject" });
      if (decision === "always")
        for (const other of [...waiting.values()]) if (isSaved(other.request)) settle(other, { reply: "always" });
    },
    /** §4.4: closing a location rejects everything pending in it. */
    rejectAll(location: Location) {
      for (const entry of [...waiting.values()])
        if (locationKey(entry.session.location) === locationKey(location)) settle(entry, { reply: "reject" });
    },
    pendingOf: (sessionID: string) => ofSession(sessionID).length,
    sessionOf: (requestID: string) => waiting.get(requestID)?.session,
  };
}
