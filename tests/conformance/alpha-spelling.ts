import type { HostEvent } from "./event.ts";

type Data = Record<string, unknown>;
const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** §4.1 (alpha-only): `callID` and `structured` where 2.x says `id` and `metadata`. */
function callID({ id, metadata, ...rest }: Data): Data {
  return { ...rest, callID: id, ...(metadata === undefined ? {} : { structured: metadata }) };
}

function withTool(holder: Data, key: string): Data {
  const tool = holder[key];
  return isData(tool) ? { ...holder, [key]: callID(tool) } : holder;
}

function enqueued({ sessionID, inboxID, item }: Data): [string, Data] {
  if (!isData(item)) return ["session.input.admitted", { inputID: inboxID, sessionID }];
  if (item.type === "compaction") return ["session.compaction.admitted", { inputID: inboxID, sessionID }];
  const input = { type: item.type, data: item.payload, delivery: item.delivery };
  return ["session.input.admitted", { inputID: inboxID, sessionID, input }];
}

/** §4.5: one witness of 2.x, and the alpha, saw `{ sessionID, info }`. */
export function nestedCreated({ sessionID, ...info }: Data): Data {
  return { sessionID, info: { id: sessionID, ...info } };
}

function respell(type: string, data: Data): [string, Data] {
  if (type === "session.inbox.enqueued") return enqueued(data);
  if (type === "session.inbox.delivered")
    return ["session.input.promoted", { sessionID: data.sessionID, inputID: data.inboxID }];
  if (type === "session.created") return [type, nestedCreated(data)];
  if (type === "permission.asked") return ["permission.v2.asked", withTool(data, "source")];
  if (type === "permission.replied") return ["permission.v2.replied", data];
  if (type === "form.created" && isData(data.form)) {
    const { metadata } = data.form;
    return [type, { form: isData(metadata) ? { ...data.form, metadata: withTool(metadata, "tool") } : data.form }];
  }
  if (type === "session.step.started") {
    const { started: _, ...rest } = data;
    return [type, rest];
  }
  if (type.startsWith("session.tool.")) return [type, callID(data)];
  return [type, data];
}

/** The July alpha's names for the same event (observed document, "Events"). */
export function alphaSpelling(event: HostEvent): HostEvent {
  const [type, data] = respell(event.type, event.data);
  return { ...event, type, data };
}
