import type { HostEvent, SessionEvent } from "../../core/event.ts";
import { answered, permissionAsked, permissionReplied, questionAsked } from "../asks.ts";
import { count, fields, identity, text } from "../read.ts";
import { writerOf } from "./prompt-parts.ts";

type Properties = Readonly<Record<string, unknown>>;
type Reader = (properties: Properties) => SessionEvent | readonly SessionEvent[] | undefined;

/** Every 1.18 event we care about, and older or transitional spellings. Tried on opencode 1.18.33. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["session.created", described],
  ["session.updated", described],
  ["session.deleted", () => ({ kind: "deleted" })],
  ["session.status", status],
  ["session.idle", () => ({ kind: "ended", legacy: true })],
  ["session.error", ({ error }) => ({ kind: "failed", name: errorName(error) })],
  ["message.updated", message],
  ["message.part.updated", part],
  ["permission.asked", permissionAsked],
  ["permission.updated", permissionAsked],
  ["permission.v2.asked", permissionAsked],
  ["permission.replied", permissionReplied],
  ["permission.v2.replied", permissionReplied],
  ["question.asked", questionAsked],
  ["question.v2.asked", questionAsked],
  ["question.replied", (properties) => answered(properties, "replied")],
  ["question.v2.replied", (properties) => answered(properties, "replied")],
  ["question.rejected", (properties) => answered(properties, "refused")],
  ["question.v2.rejected", (properties) => answered(properties, "refused")],
]);

/** Undefined: not for us. Never throws, whatever the host sent. */
export function translate(event: unknown): HostEvent | undefined {
  const { type, id, properties } = fields(event);
  const reader = typeof type === "string" ? readers.get(type) : undefined;
  if (reader === undefined) return undefined;
  const data = fields(properties);
  const sessionID = identity(data.sessionID) ?? identity(fields(data.info).id) ?? identity(fields(data.part).sessionID);
  const read = sessionID === undefined ? undefined : reader(data);
  if (sessionID === undefined || read === undefined) return undefined;
  const events = "kind" in read ? [read] : read;
  if (events.length === 0) return undefined;
  const eventID = identity(id);
  return { sessionID, events, ...(eventID === undefined ? {} : { id: eventID }) };
}

function described({ info }: Properties): SessionEvent | undefined {
  const { id, title, parentID, directory } = fields(info);
  if (identity(id) === undefined) return undefined; // without the record nobody knows whose child it is
  const folder = text(directory);
  return {
    kind: "described",
    title: text(title) ?? "",
    parentID: identity(parentID) ?? null,
    ...(folder === undefined ? {} : { directory: folder }),
  };
}

function status({ status }: Properties): SessionEvent | undefined {
  const { type, attempt } = fields(status);
  if (type === "busy") return { kind: "started" };
  if (type === "idle") return { kind: "ended" };
  if (type === "retry") return { kind: "retrying", attempt: count(attempt) ?? 1 };
  return undefined;
}

/** The name only: an error's message and body can hold private data. */
export const errorName = (error: unknown): string => {
  const { name, type } = fields(error);
  return identity(name) ?? identity(type) ?? "unknown";
};

function message({ info }: Properties): SessionEvent | undefined {
  const { role, id } = fields(info);
  const messageID = identity(id);
  return role === "user" && messageID !== undefined ? { kind: "userMessage", messageID } : undefined;
}

function part({ part }: Properties): readonly SessionEvent[] | SessionEvent | undefined {
  const fact = fields(part);
  switch (fact.type) {
    case "step-start":
      return { kind: "stepStarted" };
    case "step-finish":
      return { kind: "stepEnded" };
    case "tool":
      return tool(fact);
    case "text":
    case "compaction":
      return userText(fact);
    case "reasoning":
      return { kind: "answering" };
    default:
      return undefined;
  }
}

function userText(part: Properties): SessionEvent | undefined {
  const messageID = identity(part.messageID);
  const trigger = writerOf(part);
  return messageID === undefined || trigger === undefined ? undefined : { kind: "userText", messageID, trigger };
}

function tool({ callID, tool, state }: Properties): readonly SessionEvent[] {
  const id = identity(callID);
  const name = identity(tool);
  if (id === undefined || name === undefined) return [];
  const { status, input, metadata, time } = fields(state);
  if (fields(time).compacted !== undefined) return []; // of an earlier round: the host has cleared its output to save room
  if (status === "pending") return [{ kind: "toolNamed", callID: id, tool: name }];
  const childID = identity(fields(metadata).sessionId);
  const link: SessionEvent[] = childID === undefined ? [] : [{ kind: "childLinked", childID, launched: false }];
  if (status !== "completed" && status !== "error") return link;
  return [...link, { kind: "toolEnded", callID: id, succeeded: status === "completed", tool: name, input }];
}
