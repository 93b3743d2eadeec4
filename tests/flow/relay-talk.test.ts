import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../rig/bundle.ts";
import { type Client, openClient, report, terminalHello } from "./relay/client.ts";
import { runtimes, versionOf } from "./relay/runtimes.ts";
import { type RelayProcess, startRelayProcess } from "./relay/start-relay-process.ts";

let script: string;
beforeAll(async () => {
  script = await bundle(new URL("./relay/relay-main.ts", import.meta.url));
});

const isUp = (up: unknown): up is { id: string } => typeof up === "object" && up !== null && "id" in up;

test("the runtimes are what they say", () => {
  expect(runtimes.map(versionOf)).toEqual([expect.stringMatching(/^v/), "1.3.14", expect.stringMatching(/^1\.4\./)]);
});

describe.each(runtimes)("a relay under $name", (runtime) => {
  let relay: RelayProcess;
  beforeAll(async () => {
    relay = await startRelayProcess(runtime, script);
  });
  afterAll(() => relay.end());
  const clients: Client[] = [];
  const connect = (options = {}) => {
    const client = openClient(relay.descriptor().url, options);
    clients.push(client);
    return client;
  };
  const attach = async (more = {}) => {
    const client = connect();
    client.send(terminalHello(relay.descriptor().token, more));
    await client.take("welcome");
    return client;
  };
  const knows = (focus: string | undefined, id = "terminal-a", since = 0) =>
    relay.until(
      (line) =>
        Array.isArray(line.presence) &&
        line.presence.find((terminal: { id: string }) => terminal.id === id)?.report.focus === focus,
      since,
    );
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate();
    await expect.poll(relay.presence, { timeout: 30_000 }).toEqual([]); // it learns of the ends a little later than we do
    expect(relay.said.filter((line) => "crashed" in line)).toEqual([]);
  });

  test("is announced in a file and a folder that nobody else can read", () => {
    const { pid, line, directories, protocol } = relay.descriptor();
    expect({ pid, line, directories, protocol }).toEqual({
      pid: relay.child.pid,
      line: "v1",
      directories: ["/project"],
      protocol: 1,
    });
    const [id] = relay.said.flatMap((said) => (isUp(said.up) ? [said.up.id] : []));
    expect(statSync(relay.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(relay.folder, `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  test("welcomes whose hello came in time, however late it gets to reading it", async () => {
    const client = connect();
    await once(client.socket, "open");
    relay.child.kill("SIGSTOP");
    client.send(terminalHello(relay.descriptor().token));
    await pause(2_500); // a stranger may say nothing for 2 s
    relay.child.kill("SIGCONT");
    await client.take("welcome");
  });

  test("welcomes a terminal, knows what it reports, and forgets it when its socket ends", async () => {
    const client = connect();
    client.send(terminalHello(relay.descriptor().token));
    expect(await client.take("welcome")).toEqual({
      type: "welcome",
      protocol: 1,
      relay: expect.any(String),
      heartbeatMs: 10_000,
    });
    await knows("focused");
    client.send({ type: "report", seq: 2, report: report("blurred") });
    await knows("blurred");
    const since = relay.said.length;
    client.socket.terminate();
    await knows(undefined, "terminal-a", since);
  });

  test("ignores a report that is older than one it knows", async () => {
    const client = await attach({ seq: 5 });
    client.send({ type: "report", seq: 4, report: report("unknown") });
    client.send({ type: "report", seq: 6, report: report("blurred") });
    await knows("blurred");
    expect(relay.said.filter((line) => JSON.stringify(line).includes("unknown"))).toEqual([]);
  });

  test("says goodbye to a terminal that says goodbye", async () => {
    const client = await attach();
    client.send({ type: "bye" });
    expect(await client.closed).toEqual({ code: 1000, reason: "said goodbye" });
    await relay.settle();
    expect(relay.presence()).toEqual([]);
  });

  test("lets the newest connection of a terminal win, and the old one's end is no news", async () => {
    const old = await attach({ seq: 9 });
    const fresh = await attach({ seq: 1, report: report("blurred") });
    expect(await old.closed).toEqual({ code: 4409, reason: expect.any(String) });
    await relay.settle();
    expect(relay.presence()).toMatchObject([{ id: "terminal-a", seq: 1, report: { focus: "blurred" } }]);
    fresh.send({ type: "report", seq: 2, report: report("focused") });
    await knows("focused");
  });

  test("has a terminal raise an alert and hears whether it was written", async () => {
    const client = await attach();
    const since = relay.said.length;
    relay.order({ do: "raise", terminal: "terminal-a" });
    const raise = await client.take("raise");
    expect(raise).toMatchObject({ alert: { key: "k", title: "Title", body: "Body", urgency: "normal" } });
    client.send({ type: "raised", request: raise.request, ok: true });
    expect(await relay.until((line) => "raised" in line, since)).toEqual({ raised: true });
  });

  test("counts an alert as not raised when the terminal refuses, leaves or is unknown", async () => {
    const client = await attach();
    let since = relay.said.length;
    relay.order({ do: "raise", terminal: "terminal-a" });
    client.send({ type: "raised", request: (await client.take("raise")).request, ok: false });
    expect(await relay.until((line) => "raised" in line, since)).toEqual({ raised: false });
    since = relay.said.length;
    relay.order({ do: "raise", terminal: "terminal-a" });
    await client.take("raise");
    client.socket.terminate();
    expect(await relay.until((line) => "raised" in line, since)).toEqual({ raised: false });
    since = relay.said.length;
    relay.order({ do: "raise", terminal: "nobody" });
    expect(await relay.until((line) => "raised" in line, since)).toEqual({ raised: false });
  });

  test("sends a terminal to a session", async () => {
    const client = await attach();
    relay.order({ do: "navigate", terminal: "terminal-a", sessionID: "ses_b" });
    expect(await client.take("navigate")).toEqual({ type: "navigate", sessionID: "ses_b" });
  });

  test("answers the command line, which is never taken for a terminal", async () => {
    const client = connect();
    client.send({ type: "hello", role: "observer", protocols: [1], token: relay.descriptor().token });
    await client.take("welcome");
    client.send({ type: "status" });
    expect(await client.take("status")).toEqual({ type: "status", status: { lines: ["all well"] } });
    client.send({ type: "subscribe" });
    await client.take("answer");
    relay.order({ do: "decide", decision: { reason: "attended" } });
    expect(await client.take("decision")).toEqual({ type: "decision", decision: { reason: "attended" } });
    client.send({ type: "record", on: true });
    expect(await client.take("trace")).toEqual({ type: "trace", line: '{"t":0,"kind":"meta"}' });
    client.send({ type: "mute", ms: 60_000 });
    client.send({ type: "test" });
    const answers = [await client.take("answer"), await client.take("answer"), await client.take("answer")];
    expect(answers).toEqual([
      { type: "answer", to: "record", ok: true, text: "recording" },
      { type: "answer", to: "mute", ok: true, text: "muted for 60000 ms" },
      { type: "answer", to: "test", ok: false, text: "no channel" },
    ]);
    expect(relay.presence()).toEqual([]);
    const since = relay.said.length;
    client.send({ type: "bye" });
    await client.closed;
    await relay.until((line) => line.stoppedRecording === true, since);
  });

  test("picks the highest protocol both speak and ends with 4406 when there is none", async () => {
    const client = connect();
    client.send(terminalHello(relay.descriptor().token, { protocols: [7, 1, 3], future: { more: true } }));
    expect(await client.take("welcome")).toMatchObject({ protocol: 1 });
    const other = connect();
    other.send(terminalHello(relay.descriptor().token, { id: "terminal-b", protocols: [7] }));
    expect(await other.closed).toEqual({ code: 4406, reason: expect.any(String) });
    await relay.until((line) => typeof line.log === "string" && line.log.includes("7"));
  });
});

describe.each(runtimes)("the end of a relay under $name", (runtime) => {
  test("tells its terminals, removes its file and lets the process end by itself", async () => {
    const relay = await startRelayProcess(runtime, script);
    const { url, token } = relay.descriptor();
    const client = openClient(url);
    client.send(terminalHello(token));
    await client.take("welcome");
    relay.order({ do: "close" });
    await relay.until((line) => line.closed === true);
    expect((await client.closed).code).toBeOneOf([1001, 1006]);
    expect(relay.said.filter((line) => "crashed" in line)).toEqual([]);
    expect(readdirSync(relay.folder)).toEqual([]);
    await expect(openClient(url).closed).resolves.toMatchObject({ code: 1006 });
    await relay.end();
  });

  test("needs nothing: with a terminal attached the process still ends when its own work does, and takes its file along", async () => {
    const relay = await startRelayProcess(runtime, script);
    const { url, token } = relay.descriptor();
    const client = openClient(url);
    client.send(terminalHello(token));
    await client.take("welcome");
    const exit = new Promise((done) => relay.child.once("exit", done));
    relay.child.stdin?.end(); // the last thing the process waited for
    expect(await exit).toBe(0);
    expect(readdirSync(relay.folder)).toEqual([]);
    expect((await client.closed).code).toBe(1006);
    await relay.end();
  });
});
