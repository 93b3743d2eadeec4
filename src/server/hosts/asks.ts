import type { Ask, SessionEvent } from "../core/event.ts";
import { fields, identity, list, text } from "./read.ts";

type Data = Readonly<Record<string, unknown>>;

/** `id` on 2.x, `callID` on 1.18 and in pre-releases. */
export const callID = ({ id, callID }: Data): string | undefined => identity(callID) ?? identity(id);

type Asked = { id: unknown; about: Ask["about"]; count: number; label: string | undefined; call: string | undefined };

/** An ask without an id is one of its kind in its session; a reply without one closes them all. */
const asks = ({ id, about, count, label, call }: Asked): SessionEvent => ({
  kind: "asked",
  ask: {
    requestID: identity(id) ?? about,
    about,
    count,
    ...(label === undefined ? {} : { label }),
    ...(call === undefined ? {} : { callID: call }),
  },
});

/** `permission` on 1.18, `action` on 2.x, `type` before. Only this word is ever shown. */
export function permissionAsked({ id, permission, action, type, tool, source }: Data): SessionEvent {
  const label = identity(permission) ?? identity(action) ?? identity(type);
  const call = callID(fields(tool)) ?? callID(fields(source));
  return asks({ id, about: "permission", count: 1, label, call });
}

export function permissionReplied(data: Data): SessionEvent {
  return answered(data, (data.reply ?? data.decision) === "reject" ? "refused" : "replied");
}

export function questionAsked({ id, questions, tool }: Data): SessionEvent {
  const asked = list(questions);
  const label = text(fields(asked[0]).header);
  const count = Math.max(1, asked.length);
  return asks({ id, about: "question", count, label, call: callID(fields(tool)) });
}

/** The question tool of 2.x is a form; other forms of a session block it just the same. Hidden fields ask nobody. */
export function formCreated({ form }: Data): SessionEvent {
  const { id, title, metadata, fields: asked } = fields(form);
  const { kind, tool } = fields(metadata);
  const visible = list(asked)
    .map(fields)
    .filter(({ hidden }) => hidden !== true);
  const label = text(visible[0]?.title) ?? text(title);
  const count = kind === "question" ? Math.max(1, visible.length) : 1;
  return asks({ id, about: "question", count, label, call: callID(fields(tool)) });
}

/** Every reply names its ask by `requestID`; a form's by `id`. */
export function answered({ requestID, id }: Data, how: "replied" | "refused"): SessionEvent {
  const named = identity(requestID) ?? identity(id);
  return { kind: "answered", how, ...(named === undefined ? {} : { requestID: named }) };
}
