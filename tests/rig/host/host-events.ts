import { get } from "node:http";
import * as z from "zod/mini";
import type { Ask } from "../../scenarios/host-under-test.ts";
import { waitFor } from "./wait-for.ts";

const event = z.looseObject({ type: z.string(), properties: z.record(z.string(), z.unknown()) });
const status = z.looseObject({ type: z.string() });
const option = z.looseObject({ label: z.string() });
const questions = z.array(z.looseObject({ options: z.array(option) }));

/** One event of the host, as it told it to us over HTTP. */
export type HostEvent = z.infer<typeof event>;

/** What the host itself says, read from its event stream: the truth against which beckon is measured. */
export type HostEvents = {
  all(): HostEvent[];
  asks(): Ask[];
  /** The first option of each of a request's questions. */
  firstOptions(requestID: string): string[][];
  /** How often this session went from working to resting. Twin idle events of one end count once. */
  endsOf(sessionID: string): number;
  /** Whether the last status of this session is this one. */
  statusOf(sessionID: string): string | undefined;
  close(): void;
};

function* payloads(text: string) {
  for (const line of text.split("\n")) if (line.startsWith("data:")) yield line.slice("data:".length);
}

function createFold() {
  const all: HostEvent[] = [];
  const asks: Ask[] = [];
  const options = new Map<string, string[][]>();
  const ends = new Map<string, number>();
  const statuses = new Map<string, string>();

  function apply(happened: HostEvent) {
    const { type, properties } = happened;
    const [sessionID, id] = [String(properties.sessionID), String(properties.id)];
    all.push(happened);
    if (type === "permission.asked") asks.push({ requestID: id, sessionID, about: "permission" });
    if (type === "question.asked") {
      asks.push({ requestID: id, sessionID, about: "question" });
      const asked = questions.parse(properties.questions);
      options.set(
        id,
        asked.map((one) => one.options.slice(0, 1).map((first) => first.label)),
      );
    }
    if (type === "session.status") statuses.set(sessionID, status.parse(properties.status).type);
    if (type === "session.idle" || (type === "session.status" && statuses.get(sessionID) === "idle")) {
      if (working.delete(sessionID)) ends.set(sessionID, (ends.get(sessionID) ?? 0) + 1);
    } else if (type === "session.status") working.add(sessionID);
  }
  const working = new Set<string>();
  return { all, asks, options, ends, statuses, apply };
}

/** Connects to `/event`, which also starts the host's instance for that directory. Resolves when the stream is open. */
export async function followEvents(url: string, directory: string): Promise<HostEvents> {
  const fold = createFold();
  let [open, unread] = [false, ""];
  const headers = { "x-opencode-directory": directory };
  const request = get(`${url}/event`, { headers, agent: false }, (response) => {
    response.setEncoding("utf8").on("data", (chunk: string) => {
      open = true;
      const end = (unread + chunk).lastIndexOf("\n\n");
      const whole = (unread + chunk).slice(0, Math.max(end, 0));
      unread = (unread + chunk).slice(whole.length);
      for (const payload of payloads(whole)) fold.apply(event.parse(JSON.parse(payload)));
    });
  });
  request.on("error", () => {}); // The host was ended: its stream breaks.
  await waitFor("the host's event stream", () => (open ? true : undefined));
  return {
    all: () => [...fold.all],
    asks: () => [...fold.asks],
    firstOptions: (requestID) => fold.options.get(requestID) ?? [],
    endsOf: (sessionID) => fold.ends.get(sessionID) ?? 0,
    statusOf: (sessionID) => fold.statuses.get(sessionID),
    close: () => request.destroy(),
  };
}
