import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import type { IsolatedHome } from "../rig/host/isolated-home.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { startProxy } from "../rig/http/proxy-server.ts";
import { type Ntfy, startNtfy } from "../rig/ntfy/ntfy-server.ts";
import type { HostUnderTest } from "../scenarios/host-under-test.ts";

/** Nobody sits in front of these hosts: whoever is to answer has a phone. */
const configFor = (url: string) => ({
  alerts: { push: [{ type: "ntfy", url, topic: "phone", afterSeconds: 0, events: ["pause"], actions: true }] },
});

function writeConfig({ beckonConfig }: IsolatedHome, config: object): void {
  mkdirSync(dirname(beckonConfig), { recursive: true });
  writeFileSync(beckonConfig, JSON.stringify(config));
}

type Host = HostUnderTest & { home: IsolatedHome };

const hosts: [string, (url: string) => Promise<Host>][] = [
  ["1.18", (url) => startRealHost({ plugins: [packageRoot()], prepare: (home) => writeConfig(home, configFor(url)) })],
  ["2.x", (url) => startConformanceHost({ beckon: configFor(url) })],
];

/** A session that wants to run a command, and the message about it. */
async function asks(host: HostUnderTest, ntfy: Ntfy) {
  const before = ntfy.publications.length;
  const session = await host.newSession({ ask: ["bash"] });
  await host.prompt(session, "[bash echo from afar]");
  const { requestID } = await host.nextAsk(session);
  const message = await waitFor("the message", () => ntfy.publications[before]);
  const withdrawn = () => host.decided((line) => line.requestID === requestID && line.outcome === "withdrawn");
  return { session, requestID, message, withdrawn };
}

describe.each(hosts)("on opencode %s a permission", (_, startHost) => {
  let ntfy: Ntfy;
  let host: Host;
  beforeAll(async () => {
    ntfy = await startNtfy();
    host = await startHost(ntfy.url);
  });
  afterAll(async () => {
    await host?.close();
    await ntfy?.close();
  });

  test("is allowed from the phone: the session goes on, and the journal says who let it", async () => {
    const { session, message, withdrawn } = await asks(host, ntfy);
    await ntfy.press("Allow once", message);
    await host.ended(session);
    expect(await withdrawn()).toMatchObject({ reason: "answered", by: "push: once" });
    const done = await host.decided((line) => line.sessionID === session && line.alert === "done");
    expect(done.reason).not.toBe("dismissed");
  });

  test("is refused from the phone: the command does not run", async () => {
    const { session, message, withdrawn } = await asks(host, ntfy);
    await ntfy.press("Deny", message);
    await host.ended(session);
    expect(await withdrawn()).toMatchObject({ reason: "answered", by: "push: reject" });
    const done = await host.decided((line) => line.sessionID === session && line.alert === "done");
    expect(done.reason).toBe("dismissed");
  });

  test("is not answered by a press after its setting was switched off, and the terminal is asked as before", async () => {
    const { session, requestID, message } = await asks(host, ntfy);
    const off = configFor(ntfy.url);
    writeConfig(host.home, { alerts: { push: off.alerts.push.map((target) => ({ ...target, actions: false })) } });
    await ntfy.press("Allow once", message);
    await host.settled();
    writeConfig(host.home, off);
    const lines = (await host.decisions()).filter((line) => line.requestID === requestID);
    expect(lines.filter(({ outcome, by }) => outcome === "withdrawn" || by !== undefined)).toEqual([]);
    await host.reply(requestID, "once");
    await host.ended(session);
  });

  test("that was answered at the keyboard is not answered again by a late press", async () => {
    const { session, requestID, message, withdrawn } = await asks(host, ntfy);
    await host.reply(requestID, "once");
    await host.ended(session);
    await withdrawn();
    await ntfy.press("Deny", message);
    await host.settled();
    const lines = (await host.decisions()).filter((line) => line.requestID === requestID);
    expect(lines.filter(({ by }) => by !== undefined)).toEqual([]);
    expect(ntfy.topics()).toEqual([]);
  });
});

describe("where opencode's environment names a proxy, the only one that finds the server,", () => {
  const url = "http://ntfy.invalid";
  let ntfy: Ntfy;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let host: RealHost;
  beforeAll(async () => {
    ntfy = await startNtfy();
    proxy = await startProxy({ to: Number(new URL(ntfy.url).port) });
    host = await startRealHost({
      plugins: [packageRoot()],
      env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "127.0.0.1,localhost" },
      prepare: (home) => writeConfig(home, configFor(url)),
    });
  });
  afterAll(async () => {
    await host?.close();
    await proxy?.close();
    await ntfy?.close();
  });

  test("a permission is asked for and allowed through it", async () => {
    const { session, requestID } = await asks(host, ntfy);
    const listens = () => proxy.asked.some(({ line }) => /^GET http:\/\/ntfy\.invalid\/beckon-.*\/json\?/.test(line));
    await waitUntil("somebody who listens through the proxy", listens);
    const message = await ntfy.asked();
    const { body = "", url: topic = "" } = message.actions?.find(({ label }) => label === "Allow once") ?? {};
    await fetch(topic.replace(url, ntfy.url), { method: "POST", body });
    await host.ended(session);
    const line = await host.decided((each) => each.requestID === requestID && each.outcome === "withdrawn");
    expect(line).toMatchObject({ by: "push: once" });
  });

  test("beckon test gets through it too, from a shell that knows no proxy", async () => {
    const before = ntfy.publications.length;
    const command = join(packageRoot(), "dist/server/cli/main.js");
    const { stdout } = await promisify(execFile)(process.execPath, [command, "test", "pause", "--channel", "push"], {
      env: host.home.env,
      timeout: 60_000,
    });
    expect(stdout).toMatch(/push {6}accepted by ntfy; sent by opencode \(pid \d+\)/);
    expect(ntfy.publications.slice(before)).toMatchObject([{ topic: "phone" }]);
  });
});

describe("on opencode 2.x, while the plugin is loaded anew,", () => {
  let ntfy: Ntfy;
  let host: ConformanceHost;
  beforeAll(async () => {
    ntfy = await startNtfy();
    host = await startConformanceHost({ beckon: configFor(ntfy.url) });
  });
  afterAll(async () => {
    await host?.close();
    await ntfy?.close();
  });

  test("an open permission can still be answered, and is answered once", async () => {
    const { session, requestID, message, withdrawn } = await asks(host, ntfy);
    const reloading = host.server.reload();
    await ntfy.press("Allow once", message);
    await reloading;
    await ntfy.press("Allow once", message);
    await ntfy.press("Deny", message);
    await host.ended(session);
    expect(await withdrawn()).toMatchObject({ reason: "answered", by: "push: once" });
    await host.settled();
    const answers = (await host.decisions()).filter((line) => line.requestID === requestID && line.by !== undefined);
    expect(answers).toHaveLength(1);
    expect(ntfy.topics()).toEqual([]);
  });
});
