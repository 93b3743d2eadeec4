import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { configSchema } from "../../../src/server/config/schema.ts";
import type { NoteEvent, SentAway } from "../../../src/server/delivery/channel.ts";
import { createPush, type Push } from "../../../src/server/delivery/push.ts";
import type { PushTarget } from "../../../src/server/delivery/push-request.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { waitFor, waitUntil } from "../../rig/host/wait-for.ts";
import { type Ntfy, type Publication, startNtfy } from "../../rig/ntfy/ntfy-server.ts";
import { noteOf } from "./note.ts";

const token = "tk_secret";
let ntfy: Ntfy;
let events: NoteEvent[];
let lines: string[];
let pushes: Push[];

beforeEach(async () => {
  ntfy = await startNtfy({ token });
  [events, lines, pushes] = [[], [], []];
});
afterEach(async () => {
  for (const push of pushes) push.stop();
  await ntfy.close();
});

/** Waits between two connections are of no interest here; the deadlines hold, or are as short as a test says. */
function start(adopted?: SentAway, shortest: { [ms: number]: number } = {}): Push {
  const isDeadline = (ms: number) => ms === 10_000 || ms === 150_000;
  const clock = {
    ...systemClock,
    after: (ms: number, run: () => void) => systemClock.after(shortest[ms] ?? (isDeadline(ms) ? ms : 1), run),
  };
  const push = createPush({
    ...{ env: {}, clock, log: (line) => lines.push(line), onNote: (event) => events.push(event) },
    ...(adopted === undefined ? {} : { adopted }),
  });
  pushes.push(push);
  return push;
}

const targetOf = (given: object): PushTarget => {
  const [target] = configSchema.parse({ alerts: { push: [given] } }).alerts.push;
  if (target === undefined) throw new Error("no target");
  return target;
};
const target = (given: object = {}) =>
  targetOf({ type: "ntfy", url: ntfy.url, topic: "mine", token, actions: true, ...given });
const note = (requestID: string) =>
  noteOf({
    actions: [
      { key: `once:${requestID}`, label: "Allow once" },
      { key: `reject:${requestID}`, label: "Deny" },
    ],
  });

/** Sends a message about a permission; resolves when its buttons are listened for. */
async function ask(push: Push, requestID: string): Promise<Publication> {
  const before = ntfy.topics().length;
  expect(await push.send(note(requestID), target(), requestID)).toMatchObject({ ok: true });
  await waitUntil("a listener", () => ntfy.topics().length > before);
  return ntfy.asked();
}

const actions = () => events.map((event) => (event.type === "action" ? event.action : event.type));
const heard = (count: number) => waitUntil(`${count} pressed buttons`, () => events.length >= count);
const topicOf = ({ actions: [button] = [] }: Publication) => new URL(button?.url ?? "").pathname.slice(1);

describe("a message about a permission", () => {
  test("has two buttons that post a value of their own to a topic of its own on the same server", async () => {
    const push = start();
    const [first, second] = [await ask(push, "per_1"), await ask(push, "per_2")];
    const [allow, deny] = first.actions ?? [];
    expect(first.actions).toEqual([
      { action: "http", label: "Allow once", url: allow?.url, method: "POST", body: allow?.body, clear: true },
      { action: "http", label: "Deny", url: allow?.url, method: "POST", body: deny?.body, clear: true },
    ]);
    const secrets = [first, second].flatMap((message) => [
      topicOf(message).replace(/^beckon-/, ""),
      ...(message.actions ?? []).map(({ body }) => body),
    ]);
    expect(new Set(secrets).size).toBe(6);
    for (const secret of secrets) expect(secret).toMatch(/^[-_A-Za-z0-9]{32}$/); // 192 bits
    expect(JSON.stringify(first)).not.toMatch(/per_1|ses_S|tk_/);
  });

  test.each([
    ["Allow once", "once:per_1"],
    ["Deny", "reject:per_1"],
  ])("tells that «%s» was pressed, and listens no more", async (label, action) => {
    const message = await ask(start(), "per_1");
    expect(await ntfy.press(label, message)).toBe(200);
    await heard(1);
    expect(events).toEqual([{ type: "action", key: "ses_S", sessionID: "ses_S", action, from: "push" }]);
    await waitUntil("nobody to listen", () => ntfy.topics().length === 0);
  });

  test("is listened for with the token in a header, never in an address", async () => {
    await ask(start(), "per_1");
    const gets = ntfy.requests.filter(({ method }) => method === "GET");
    expect(gets).toEqual([
      {
        method: "GET",
        path: expect.stringMatching(/^\/beckon-.{32}\/json\?since=all$/),
        authorization: "Bearer tk_secret",
      },
    ]);
  });

  test("has none where nothing comes back, where nobody asked for them, and beyond ten at a time", async () => {
    const push = start();
    await push.send(note("per_0"), target());
    const webhook = targetOf({ type: "webhook", url: `${ntfy.url}/hook` });
    await push.send(note("per_0"), webhook, "per_0");
    for (let count = 1; count <= 10; count++) await ask(push, `per_${count}`);
    await push.send(note("per_11"), target(), "per_11");
    expect(ntfy.publications.filter((message) => message.actions === undefined)).toHaveLength(2);
    expect(ntfy.topics()).toHaveLength(10);
  });

  test("that the server refuses is not listened for", async () => {
    const push = start();
    ntfy.refuse();
    expect(await push.send(note("per_1"), target(), "per_1")).toMatchObject({ ok: false, reason: "refused" });
    await waitUntil("nobody to listen", () => ntfy.topics().length === 0);
    const { waysBack } = push.stop();
    expect(waysBack).toEqual([]);
  });
});

describe("nobody listens any more", () => {
  test.each<[string, (push: Push) => void]>([
    ["the ask is closed", (push) => push.closed("per_1")],
    ["the message is taken back", (push) => void push.withdraw("ses_S")],
    ["beckon stops", (push) => void push.stop()],
  ])("once %s", async (_, end) => {
    const push = start();
    const message = await ask(push, "per_1");
    end(push);
    await waitUntil("nobody to listen", () => ntfy.topics().length === 0);
    await ntfy.press("Allow once", message);
    await marker();
    expect(actions()).toEqual(["once:marker"]);
  });

  test("while the other asks go on", async () => {
    const push = start();
    const [first, second] = [await ask(push, "per_1"), await ask(push, "per_2")];
    push.closed("per_1");
    await waitUntil("one to listen", () => ntfy.topics().length === 1);
    await ntfy.press("Allow once", first);
    await ntfy.press("Deny", second);
    await heard(1);
    expect(actions()).toEqual(["reject:per_2"]);
  });
});

describe("whoever takes over", () => {
  test("hears what is pressed afterwards, and what was pressed between the two", async () => {
    const first = start();
    const [early, late] = [await ask(first, "per_1"), await ask(first, "per_2")];
    const handedOver = first.stop();
    await ntfy.press("Allow once", early);
    start(handedOver);
    await heard(1);
    await ntfy.press("Deny", late);
    await heard(2);
    expect(actions()).toEqual(["once:per_1", "reject:per_2"]);
  });

  test("hears nothing that was heard before", async () => {
    const first = start();
    const message = await ask(first, "per_1");
    await ntfy.press("Allow once", message);
    await heard(1);
    start(first.stop());
    await ntfy.press("Allow once", message);
    await marker();
    expect(actions()).toEqual(["once:per_1", "once:marker"]);
  });
});

describe("a connection that fails", () => {
  test("in the middle of a line is made again, and what was pressed meanwhile is heard", async () => {
    const message = await ask(start(), "per_1");
    ntfy.misbehave((response) => Boolean(response.writeHead(503).end()));
    ntfy.breakStreams();
    await ntfy.press("Deny", message);
    ntfy.behave();
    await heard(1);
    expect(actions()).toEqual(["reject:per_1"]);
  });

  test.each([429, 500, 503])("with HTTP %d is made again, and the third time in a row has a line", async (status) => {
    let refused = 0;
    ntfy.misbehave((response) => ++refused <= 3 && Boolean(response.writeHead(status).end()));
    const message = await ask(start(), "per_1");
    await ntfy.press("Deny", message);
    await heard(1);
    expect(lines).toEqual([`push: answers cannot be heard (HTTP ${status})`]);
  });

  test.each([401, 403, 404])("with HTTP %d has its line and is not made again", async (status) => {
    ntfy.misbehave((response) => Boolean(response.writeHead(status).end()));
    await start().send(note("per_1"), target(), "per_1");
    await waitUntil("a line", () => lines.length > 0);
    ntfy.behave();
    await marker();
    expect(lines).toEqual([`push: answers cannot be heard (HTTP ${status})`]);
    expect(connections()).toHaveLength(2); // this one and the marker's
  });

  test.each<[string, number, (response: ServerResponse) => void]>([
    ["never answers", 10_000, () => {}],
    ["falls silent", 150_000, (response) => response.writeHead(200).write("\n")],
  ])("because the server %s is made again", async (_, deadline, behaves) => {
    let first = true;
    ntfy.misbehave((response) => {
      const isFirst = first;
      first = false;
      if (isFirst) behaves(response);
      return isFirst;
    });
    const message = await ask(start(undefined, { [deadline]: 50 }), "per_1");
    await ntfy.press("Deny", message);
    await heard(1);
    expect(actions()).toEqual(["reject:per_1"]);
  });
});

describe("what anybody else writes there answers nothing:", () => {
  const other = (value: string) => value.split("").reverse().join("");
  test.each<[string, (value: string) => string]>([
    ["another value", other],
    ["half the value", (value) => value.slice(0, -1)],
    ["the value and more", (value) => `${value} `],
    ["the value in a list", (value) => JSON.stringify([value])],
    ["the button's name", () => "once:per_1"],
    ["nothing", () => ""],
    ["a long text", () => "x".repeat(4_096)],
    ["line breaks", (value) => `\n${value}\n`],
  ])("%s", async (_, text) => {
    const message = await ask(start(), "per_1");
    const [allow] = message.actions ?? [];
    ntfy.write(topicOf(message), text(allow?.body ?? ""));
    await ntfy.press("Deny", message);
    await heard(1);
    expect(actions()).toEqual(["reject:per_1"]);
  });

  test("the value of another message", async () => {
    const push = start();
    const [first, second] = [await ask(push, "per_1"), await ask(push, "per_2")];
    ntfy.write(topicOf(second), first.actions?.[0]?.body ?? "");
    await ntfy.press("Deny", second);
    await heard(1);
    expect(actions()).toEqual(["reject:per_2"]);
  });

  test("the same button once more, and the other one after it", async () => {
    const message = await ask(start(), "per_1");
    for (const label of ["Allow once", "Allow once", "Deny"]) await ntfy.press(label, message);
    await heard(1);
    await marker();
    expect(actions()).toEqual(["once:per_1", "once:marker"]);
  });
});

describe("a server that is no ntfy, or a hostile one,", () => {
  /** Says this to whoever subscribes first, knowing the topic but never a value. */
  const says = (...chunks: string[]) => {
    let first = true;
    ntfy.misbehave((response) => {
      const isFirst = first;
      first = false;
      if (isFirst) for (const chunk of chunks) response.write(chunk);
      if (isFirst) response.end();
      return isFirst;
    });
  };

  test.each<[string, string[]]>([
    ["HTML", ["<!doctype html>\n<html>\n", "<body>Sign in</body></html>\n"]],
    [
      "JSON of another kind",
      ["null\n[]\n7\n", '"message"\n{}\n', '{"event":"message"}\n{"event":"message","message":7}\n'],
    ],
    ["bytes that are no text", ["\u0000\u0001\ufffd\n", "\ud800\n"]],
    ["an event that is no message", ['{"event":"open","message":"x"}\n{"event":"keepalive"}\n']],
    ["deep nesting", [`${"[".repeat(10_000)}\n`]],
  ])("that says %s answers nothing, and is asked again", async (_, chunks) => {
    says(...chunks);
    const message = await ask(start(), "per_1");
    await ntfy.press("Deny", message);
    await heard(1);
    expect(actions()).toEqual(["reject:per_1"]);
  });

  const endless = (chunk: string) => (response: ServerResponse) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
    return true;
  };
  test.each([
    ["a line without an end", "x".repeat(1_000)],
    ["lines without an end", '{"event":"keepalive"}\n'],
    ["messages without an end", `{"event":"message","message":"${"x".repeat(500)}"}\n`],
  ])("that sends %s is left, once and for all, with a line that says so", async (_, chunk) => {
    ntfy.misbehave(endless(chunk));
    await start().send(note("per_1"), target(), "per_1");
    await waitUntil("a line", () => lines.length > 0);
    ntfy.behave();
    await marker();
    expect(lines).toEqual(["push: answers cannot be heard (what it says is not ntfy's)"]);
    expect(connections()).toHaveLength(2);
    expect(actions()).toEqual(["once:marker"]);
  });

  test("that sends us elsewhere is not followed: neither token nor topic goes there", async () => {
    const elsewhere = await startNtfy();
    onTestFinished(() => elsewhere.close());
    ntfy.misbehave((response, { url }) =>
      Boolean(response.writeHead(307, { location: `${elsewhere.url}${url}` }).end()),
    );
    await start().send(note("per_1"), target(), "per_1");
    await waitUntil("a line", () => lines.length > 0);
    expect(lines).toEqual(["push: answers cannot be heard (HTTP 307)"]);
    expect(elsewhere.requests).toEqual([]);
  });
});

test("no line ever has a secret in it", async () => {
  for (const status of [302, 403, 500]) {
    ntfy.misbehave((response) =>
      Boolean(response.writeHead(status, { location: "http://tk_secret/" }).end("tk_secret")),
    );
    await start().send(note("per_1"), target(), "per_1");
  }
  await waitFor("all lines", () => (lines.length >= 3 ? true : undefined));
  expect(lines.join("\n")).not.toMatch(/tk_|beckon-|127\.0\.0\.1|mine/);
});

const connections = () => ntfy.requests.filter(({ method }) => method === "GET");

/** A button of another message, pressed and heard: whatever was to be heard before it has been. */
async function marker(): Promise<void> {
  const before = events.length;
  const message = await ask(start(), "marker");
  await ntfy.press("Allow once", message);
  await heard(before + 1);
}
