import { interruptErrors } from "../../core/errors.ts";
import type { HostEvent, SessionEvent, Trigger } from "../../core/event.ts";
import { answered, callID, formCreated, permissionAsked, permissionReplied, questionAsked } from "../asks.ts";
import { count, fields, identity, text } from "../read.ts";

type Data = Readonly<Record<string, unknown>>;
type Reader = (data: Data) => SessionEvent | readonly SessionEvent[] | undefined;

/**
 * Every 2.x event we care about, with the spellings of the July pre-release and 1.18's own where a build may still send them.
 * Source: the source of opencode 2.0.26 and recorded streams (`tests/fixtures`). A new spelling is one row.
 */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["session.created", created],
  ["session.deleted", () => ({ kind: "deleted" })],
  ["session.renamed", ({ title }) => ({ kind: "described", title: text(title) ?? "" })],
  ["session.moved", moved],
  ["session.viewed", () => ({ kind: "viewed" })],
  ["session.inbox.enqueued", enqueued],
  ["session.input.admitted", enqueued],
  ["session.inbox.delivered", promptRead],
  ["session.inbox.cancelled", promptRead],
  ["session.input.promoted", promptRead],
  ["session.execution.started", () => ({ kind: "started" })],
  ["session.execution.succeeded", () => ({ kind: "ended" })],
  ["session.execution.failed", ({ error }) => [{ kind: "failed", name: errorName(error) }, { kind: "ended" }]],
  ["session.execution.interrupted", interrupted],
  ["session.idle", () => ({ kind: "ended", legacy: true })],
  ["session.error", ({ error }) => ({ kind: "failed", name: errorName(error) })],
  ["session.step.started", () => ({ kind: "stepStarted" })],
  ["session.step.ended", () => ({ kind: "stepEnded" })],
  ["session.text.started", () => ({ kind: "answering" })],
  ["session.reasoning.started", () => ({ kind: "answering" })],
  ["session.retry.scheduled", ({ attempt }) => ({ kind: "retrying", attempt: count(attempt) ?? 1 })],
  ["session.tool.input.started", toolNamed],
  ["session.tool.called", toolCalled],
  ["session.tool.progress", toolProgress],
  ["session.tool.success", toolSucceeded],
  ["session.tool.failed", toolFailed],
  ["permission.asked", permissionAsked],
  ["permission.v2.asked", permissionAsked],
  ["permission.replied", permissionReplied],
  ["permission.v2.replied", permissionReplied],
  ["form.created", formCreated],
  ["form.replied", (data) => answered(data, "replied")],
  ["form.cancelled", (data) => answered(data, "refused")],
  ["question.asked", questionAsked],
  ["question.v2.asked", questionAsked],
  ["question.replied", (data) => answered(data, "replied")],
  ["question.v2.replied", (data) => answered(data, "replied")],
  ["question.rejected", (data) => answered(data, "refused")],
  ["question.v2.rejected", (data) => answered(data, "refused")],
]);

/** A form nobody's session owns: it is told once, without a session's name. */
const globalOwner = "global";

/** Undefined: not for us. Never throws, whatever the host sent. */
export function translate(event: unknown): HostEvent | undefined {
  const { type, id, created: at, data, properties, location } = fields(event);
  const reader = typeof type === "string" ? readers.get(type) : undefined;
  if (reader === undefined) return undefined;
  const facts = fields(data ?? properties);
  const sessionID =
    identity(facts.sessionID) ?? identity(fields(facts.form).sessionID) ?? identity(fields(facts.info).id);
  const read = sessionID === undefined ? undefined : reader(facts);
  if (sessionID === undefined || read === undefined) return undefined;
  const events: readonly SessionEvent[] = "kind" in read ? [read] : read;
  const eventID = identity(id);
  const createdAt = count(at);
  return {
    sessionID,
    events: [...where(sessionID, location), ...events],
    ...(eventID === undefined ? {} : { id: eventID }),
    ...(createdAt === undefined ? {} : { created: createdAt }),
  };
}

/** Execution events carry no location; the others tell where the session lives. */
function where(sessionID: string, location: unknown): SessionEvent[] {
  const directory = text(fields(location).directory);
  const placed = sessionID === globalOwner ? { parentID: null } : {};
  if (directory === undefined && sessionID !== globalOwner) return [];
  return [{ kind: "described", ...placed, ...(directory === undefined ? {} : { directory }) }];
}

function created(data: Data): SessionEvent {
  const info = fields(data.info);
  const directory = text(fields(data.location ?? info.location).directory);
  return {
    kind: "described",
    title: text(data.title ?? info.title) ?? "",
    parentID: identity(data.parentID) ?? identity(info.parentID) ?? null,
    ...(directory === undefined ? {} : { directory }),
  };
}

function moved({ location }: Data): SessionEvent | undefined {
  const directory = text(fields(location).directory);
  return directory === undefined ? undefined : { kind: "described", directory };
}

/** Only a person's own text is typed: a background result, a plugin's note and a compaction are not. */
function enqueued(data: Data): SessionEvent | undefined {
  const item = fields(data.item ?? data.input);
  const payload = fields(item.payload ?? item.data);
  if (item.type === "move") return undefined;
  const byPerson = item.type === "user" && fields(payload.metadata).source === undefined;
  return prompted(
    identity(data.inboxID) ?? identity(data.inputID) ?? identity(data.id),
    byPerson ? "typed" : "synthetic",
    true,
  );
}

const prompted = (promptID: string | undefined, trigger: Trigger, queued: boolean): SessionEvent => ({
  kind: "prompted",
  trigger,
  ...(promptID === undefined ? {} : { promptID, queued }),
});

function promptRead(data: Data): SessionEvent | undefined {
  const promptID = identity(data.inboxID) ?? identity(data.inputID) ?? identity(data.id);
  return promptID === undefined ? undefined : { kind: "promptRead", promptID };
}

function interrupted({ reason }: Data): readonly SessionEvent[] {
  const known = Object.entries(interruptErrors).find(([name]) => name === reason)?.[1];
  return [{ kind: "failed", name: known ?? interruptErrors.user }, { kind: "ended" }]; // an unknown reason is somebody's stop
}

/** `type` on 2.x, `name` before. The name only: message and body can hold private data. */
export const errorName = (error: unknown): string => {
  const { name, type } = fields(error);
  return identity(type) ?? identity(name) ?? "unknown";
};

function toolNamed(data: Data): SessionEvent | undefined {
  const id = callID(data);
  const tool = identity(data.name);
  return id === undefined || tool === undefined ? undefined : { kind: "toolNamed", callID: id, tool };
}

function toolCalled(data: Data): SessionEvent | undefined {
  const id = callID(data);
  return id === undefined ? undefined : { kind: "toolInput", callID: id, input: data.input };
}

/** A subagent call names its child; `running` in its success means that the child goes on in the background. */
function childLink({ metadata, structured }: Data, ended: boolean): SessionEvent[] {
  const { sessionID, status } = fields(metadata ?? structured);
  const childID = identity(sessionID);
  return childID === undefined ? [] : [{ kind: "childLinked", childID, launched: ended && status === "running" }];
}

function toolProgress(data: Data): readonly SessionEvent[] {
  return childLink(data, false);
}

function toolSucceeded(data: Data): readonly SessionEvent[] {
  const id = callID(data);
  const link = childLink(data, true);
  return id === undefined ? link : [...link, { kind: "toolEnded", callID: id, succeeded: true }];
}

function toolFailed(data: Data): SessionEvent | undefined {
  const id = callID(data);
  return id === undefined ? undefined : { kind: "toolEnded", callID: id, succeeded: false };
}
