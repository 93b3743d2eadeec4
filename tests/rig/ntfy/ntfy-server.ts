import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod/mini";
import { waitFor } from "../host/wait-for.ts";

const button = z.object({
  action: z.literal("http"),
  label: z.string(),
  url: z.string(),
  method: z.string(),
  body: z.string(),
  clear: z.literal(true),
});
const publication = z.object({
  topic: z.string().check(z.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  title: z.string(),
  message: z.string(),
  priority: z.int(),
  tags: z.array(z.string()),
  sequence_id: z.string(),
  actions: z.optional(z.array(button).check(z.maxLength(3))),
});
export type Publication = z.output<typeof publication>;

/** What somebody who subscribes is given instead of ntfy's stream; true when it took the request. */
export type Misbehaviour = (response: ServerResponse, request: IncomingMessage) => boolean;

export type NtfyOptions = {
  /** The access token of whoever may publish to and read every topic. Everybody may write to `beckon-*`, as docs advise. */
  token?: string;
};

/**
 * An ntfy server, as docs.ntfy.sh describes it (publish as JSON, action buttons, subscribe as a JSON stream with cached
 * messages, delete), and the phone that is subscribed to it.
 */
export async function startNtfy({ token }: NtfyOptions = {}) {
  const publications: Publication[] = [];
  const requests: { method: string; path: string; authorization: string | undefined }[] = [];
  const cached = new Map<string, string[]>();
  const listening = new Map<string, Set<ServerResponse>>();
  let misbehaves: Misbehaviour = () => false;
  let refuses = false;
  let serial = 0;

  const line = (event: string, topic: string, more: object = {}) => {
    serial += 1;
    return `${JSON.stringify({ id: `id${serial}`, time: Math.floor(Date.now() / 1_000), event, topic, ...more })}\n`;
  };

  function write(topic: string, message: string): void {
    const text = line("message", topic, { message });
    cached.set(topic, [...(cached.get(topic) ?? []), text]);
    for (const response of listening.get(topic) ?? []) response.write(text);
  }

  function publish(response: ServerResponse, body: string): void {
    const read = publication.safeParse(JSON.parse(body));
    if (!read.success || refuses) return void response.writeHead(400).end(JSON.stringify({ error: "invalid request" }));
    publications.push(read.data);
    response.writeHead(200).end(line("message", read.data.topic, { message: read.data.message }));
  }

  function subscribe(response: ServerResponse, topic: string, since: string | null): void {
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    response.write(line("open", topic));
    if (since === "all") for (const text of cached.get(topic) ?? []) response.write(text);
    const all = listening.get(topic) ?? new Set();
    listening.set(topic, all.add(response));
    response.on("close", () => all.delete(response));
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { method = "", headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://ntfy");
    const [, topic = "", format] = pathname.split("/");
    requests.push({ method, path: request.url ?? "", authorization: headers.authorization });
    const mayAll = token === undefined || headers.authorization === `Bearer ${token}`;
    if (method === "GET" && format === "json" && misbehaves(response, request)) return;
    if (!mayAll && !(method === "POST" && topic.startsWith("beckon-"))) return void response.writeHead(403).end();
    if (method === "GET" && format === "json") return subscribe(response, topic, searchParams.get("since"));
    if (method === "POST" && topic === "") return publish(response, body);
    if (method === "POST") write(topic, body);
    response.writeHead(200).end("{}");
  }

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => serve(request, response, body));
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));

  const subscribers = (): ServerResponse[] => [...listening.values()].flatMap((all) => [...all]);
  const buttonOf = (label: string, { actions = [] }: Publication) => actions.find((each) => each.label === label);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publications,
    requests,
    write,
    /** The topics somebody listens to at the moment. */
    topics: () => [...listening].filter(([, all]) => all.size > 0).map(([topic]) => topic),
    misbehave: (how: Misbehaviour) => {
      misbehaves = how;
    },
    behave: () => {
      misbehaves = () => false;
    },
    /** No message is taken any more. */
    refuse: () => {
      refuses = true;
    },
    /** The newest message that has buttons. */
    asked: () => waitFor("a message with buttons", () => publications.findLast(({ actions }) => actions !== undefined)),
    /** What the app does when a person presses a button: exactly what the message says. Gives the HTTP status. */
    async press(label: string, message: Publication): Promise<number> {
      const pressed = buttonOf(label, message);
      if (pressed === undefined) throw new Error(`no button «${label}»`);
      return (await fetch(pressed.url, { method: pressed.method, body: pressed.body })).status;
    },
    /** Every stream breaks in the middle of a line. */
    breakStreams(): void {
      for (const response of subscribers()) {
        response.write('{"id":"half');
        response.destroy();
      }
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

export type Ntfy = Awaited<ReturnType<typeof startNtfy>>;
