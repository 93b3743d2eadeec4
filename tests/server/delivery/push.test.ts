import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configSchema } from "../../../src/server/config/schema.ts";
import { createPush, type Push } from "../../../src/server/delivery/push.ts";
import type { PushTarget } from "../../../src/server/delivery/push-request.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { cleanBody, cleanTitle } from "../../../src/shared/text.ts";
import { hostileTexts } from "../../contract/hostile-texts.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { noteOf } from "./note.ts";

type Request = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
type Answer = (response: ServerResponse, request: Request) => void;

const targetOf = (given: object): PushTarget => {
  const [target] = configSchema.parse({ alerts: { push: [given] } }).alerts.push;
  if (!target) throw new Error("no target");
  return target;
};

let requests: Request[];
let answer: Answer;
let url: string;
let lines: string[];
let push: Push;
let closeServer: () => Promise<void>;

beforeEach(async () => {
  requests = [];
  lines = [];
  answer = (response) => response.writeHead(200).end("{}");
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
      requests.push(request);
      answer(response, request);
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  closeServer = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(() => closed()));
  };
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The wait between two tries is of no interest here.
  const clock = {
    ...systemClock,
    after: (ms: number, run: () => void) => systemClock.after(ms === 2_000 ? 0 : ms, run),
  };
  push = createPush({ env: {}, clock, log: (line) => lines.push(line) });
});
afterEach(async () => {
  push.stop();
  await closeServer();
});

const away = { title: "app", body: "Waiting for you" };
const note = (given = {}) => noteOf({ title: "Fix login", body: "Pick one", away, ...given });
const ntfy = (given = {}) => targetOf({ type: "ntfy", url, topic: "secret-topic", token: "tk_secret", ...given });
const webhook = (given = {}) =>
  targetOf({ type: "webhook", url: `${url}/hook?key=secret`, secret: "s3cret", ...given });

describe("ntfy", () => {
  test("gets the project and the kind, and nothing else of the session", async () => {
    expect(await push.send(note({ urgency: "critical" }), ntfy())).toEqual({
      ok: true,
      outlet: "ntfy",
      certainty: "accepted",
    });
    expect(requests).toMatchObject([{ method: "POST", path: "/", headers: { authorization: "Bearer tk_secret" } }]);
    const body = JSON.parse(requests[0]?.body ?? "");
    expect(body).toEqual({
      topic: "secret-topic",
      title: "app",
      message: "Waiting for you",
      priority: 4,
      tags: ["raised_hand"],
      sequence_id: expect.stringMatching(/^[-_A-Za-z0-9]{1,64}$/),
    });
  });

  test("gets more only where the target asks for it", async () => {
    await push.send(note(), ntfy({ title: true, detail: true }));
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ title: "Fix login", message: "Pick one" });
  });

  test("gets no more than the kind when nobody said what may leave", async () => {
    await push.send(noteOf({ title: "Fix login", body: "sk-live-abc123" }), ntfy());
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ title: "opencode", message: "pause" });
  });

  test("is told to replace and to delete by one sequence", async () => {
    await push.send(note(), ntfy());
    await push.send(note({ body: "newer" }), ntfy());
    await push.withdraw("ses_S");
    await push.withdraw("ses_S");
    const [first, second] = requests.map(({ body }) => (body === "" ? undefined : JSON.parse(body).sequence_id));
    expect(second).toBe(first);
    expect(requests.slice(2)).toMatchObject([
      { method: "DELETE", path: `/secret-topic/${first}`, headers: { authorization: "Bearer tk_secret" } },
    ]);
  });

  test("an old one that cannot delete is no news", async () => {
    await push.send(note(), ntfy());
    answer = (response) => response.writeHead(404).end();
    await push.withdraw("ses_S");
    expect(lines).toEqual([]);
  });

  test.each(Object.entries(hostileTexts))("gets %s as data", async (_, text) => {
    await push.send(note(text), ntfy({ title: true, detail: true }));
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      title: cleanTitle(text.title) || "opencode",
      message: cleanBody(text.body),
    });
  });
});

describe("a webhook", () => {
  test("gets a message signed over its very bytes", async () => {
    await push.send(note(), webhook());
    const [request] = requests;
    expect(request?.headers["x-signature"]).toBe(
      `sha256=${createHmac("sha256", "s3cret")
        .update(request?.body ?? "")
        .digest("hex")}`,
    );
    expect(JSON.parse(request?.body ?? "")).toEqual({
      event: "alert",
      id: expect.any(String),
      kind: "pause",
      urgency: "normal",
      title: "app",
      body: "Waiting for you",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  test("without a secret is not signed", async () => {
    await push.send(note(), webhook({ secret: undefined }));
    expect(requests[0]?.headers).not.toHaveProperty("x-signature");
  });

  test("is told by the same id when it is taken back, after the alert has gone", async () => {
    answer = (response) => setImmediate(() => response.writeHead(200).end());
    const sent = push.send(note(), webhook());
    await push.withdraw("ses_S");
    await sent;
    const [alert, withdrawn] = requests.map(({ body }) => JSON.parse(body));
    expect([alert.event, withdrawn.event]).toEqual(["alert", "withdrawn"]);
    expect(withdrawn.id).toBe(alert.id);
    expect(requests[1]?.headers["x-signature"]).toMatch(/^sha256=/);
  });
});

describe("when it fails", () => {
  test.each([429, 500, 503])("HTTP %d is tried twice and no more", async (status) => {
    answer = (response) => response.writeHead(status).end();
    expect(await push.send(note(), ntfy())).toMatchObject({ ok: false, reason: "refused", detail: `HTTP ${status}` });
    expect(requests).toHaveLength(2);
  });

  test("there is no second try of what was taken back meanwhile, and what waits for its turn never leaves", async () => {
    answer = (response, { method }) => {
      if (method === "POST") void withdrawn.push(push.withdraw("ses_S"));
      response.writeHead(method === "POST" ? 503 : 200).end();
    };
    const withdrawn: Promise<boolean>[] = [];
    const sent = [push.send(note(), ntfy()), push.send(note({ body: "newer" }), ntfy())];
    expect(await Promise.all(sent)).toMatchObject([{ reason: "dropped" }, { reason: "dropped" }]);
    await Promise.all(withdrawn);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    expect(lines).toEqual([]);
  });

  test("the second try may succeed", async () => {
    answer = (response) => response.writeHead(requests.length === 1 ? 503 : 200).end();
    expect(await push.send(note(), ntfy())).toMatchObject({ ok: true });
  });

  test.each([400, 401, 403, 404])("HTTP %d is final", async (status) => {
    answer = (response) => response.writeHead(status).end();
    expect(await push.send(note(), ntfy())).toMatchObject({ ok: false, reason: "refused" });
    expect(requests).toHaveLength(1);
  });

  test("a redirect is not followed: the token goes nowhere else", async () => {
    answer = (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
    expect(await push.send(note(), ntfy())).toMatchObject({ ok: false });
    expect(requests.map(({ path }) => path)).toEqual(["/"]);
  });

  test("a connection that breaks is tried twice", async () => {
    answer = (response) => response.destroy();
    expect(await push.send(note(), ntfy())).toMatchObject({ ok: false, reason: "lost" });
    expect(requests).toHaveLength(2);
  });

  test("a server that is not there is lost", async () => {
    expect(await push.send(note(), ntfy({ url: "http://127.0.0.1:1" }))).toMatchObject({ ok: false, reason: "lost" });
  });

  test("a server that never answers is a time-out", async () => {
    answer = () => {};
    const hasty = createPush({ env: {}, clock: systemClock, log: (line) => lines.push(line), deadlineMs: 200 });
    expect(await hasty.send(note(), ntfy())).toMatchObject({ ok: false, reason: "timeout" });
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  test("one line is logged for each way to fail, and no line tells a secret", async () => {
    const fates: Answer[] = [
      (response) => response.writeHead(401).end("tk_secret"),
      (response) => response.destroy(),
      (response) => response.writeHead(302, { location: "http://secret/" }).end(),
    ];
    const details: string[] = [];
    for (const fate of [...fates, ...fates]) {
      answer = fate;
      for (const target of [ntfy(), webhook()]) details.push(JSON.stringify(await push.send(note(), target)));
    }
    await push.send(note(), ntfy({ url: "http://127.0.0.1:1/secret" }));
    await waitUntil("all to be said", () => lines.length >= 6);
    expect(new Set(lines).size).toBe(lines.length);
    expect([...lines, ...details].join("\n")).not.toMatch(/secret|tk_|s3cret|127\.0\.0\.1|key=/);
  });
});
