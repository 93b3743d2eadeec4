import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Presence } from "../../../src/server/focus/presence.ts";
import { leaseRelay, lingerMs, type Tenant } from "../../../src/server/focus/shared-relay.ts";
import { tellBugsTo } from "../../../src/shared/guard.ts";
import { readDescriptor } from "../../../src/shared/rendezvous.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { openClient, report, terminalHello } from "../../flow/relay/client.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";

let base: string;
let home: object;
let clock: ReturnType<typeof createHandCrankedClock>;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "beckon-shared-"));
  home = {};
  clock = createHandCrankedClock();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const folder = () => join(base, "relays");
const descriptors = () =>
  (existsSync(folder()) ? readdirSync(folder()).filter((name) => name.endsWith(".json")) : [])
    .map((name) => readDescriptor(readFileSync(join(folder(), name), "utf8")))
    .flatMap((read) => (read.ok ? [read.value] : []));

function tenant(more: Partial<Tenant> = {}) {
  const told: Presence[] = [];
  const log: string[] = [];
  return {
    told,
    log,
    tenant: {
      log: (line: string) => log.push(line),
      directories: () => ["/project"],
      maxTerminals: () => 8,
      onPresence: (presence: Presence) => told.push(presence),
      observer: () => undefined,
      ...more,
    } satisfies Tenant,
  };
}
const lease = (who: Tenant, folders = [folder()]) => leaseRelay({ clock, folders, line: "v2", home }, who);

async function attach() {
  const [found] = descriptors();
  const client = openClient(found?.url ?? "");
  client.send(terminalHello(found?.token ?? ""));
  await client.take("welcome");
  return client;
}

describe("all instances of a process", () => {
  test("share one relay, announce all their directories, and each hears who is there", async () => {
    const [one, two] = [tenant(), tenant({ directories: () => ["/other", "/project"] })];
    const [first, second] = [lease(one.tenant), lease(two.tenant)];
    expect(await first.relay).toBe(await second.relay);
    await waitUntil("both directories", () => descriptors()[0]?.directories.join() === "/project,/other");
    expect(descriptors()).toHaveLength(1);
    const client = await attach();
    for (const { told } of [one, two]) expect(told.at(-1)?.size).toBe(1);
    client.socket.terminate();
    await first.close();
    await second.close();
  });

  test("hear who is there although one of them fails at that, and neither host nor terminal sees it", async () => {
    const bugs: string[] = [];
    tellBugsTo((line) => void bugs.push(line));
    bugs.splice(0); // those of before
    const broken = tenant({
      onPresence() {
        throw new Error("a bug of ours");
      },
    });
    const whole = tenant();
    const [first, second] = [lease(broken.tenant), lease(whole.tenant)];
    const state = { focus: "focused", view: { type: "home" }, idleMs: 0 };
    const call = { viewer: "v", name: "n", seq: 1, report: state };
    expect(await first.calls.handlers.report(call)).toMatchObject({ ok: true });
    expect(whole.told.at(-1)?.size).toBe(1);
    expect(bugs).toEqual([expect.stringContaining("a bug of ours")]);
    await first.close();
    await second.close();
  });

  test("keep a terminal over a hot reload: the old instance goes before the new one comes", async () => {
    const before = lease(tenant().tenant);
    await before.relay;
    const client = await attach();
    before.release();
    clock.advance(lingerMs - 1);
    const after = tenant();
    const next = lease(after.tenant);
    clock.advance(lingerMs * 2);
    expect(next.presence().size).toBe(1);
    client.send({ type: "report", seq: 2, report: report("blurred") });
    await waitUntil("the report", () => after.told.at(-1)?.get("terminal-a")?.report.focus === "blurred");
    client.socket.terminate();
    await next.close();
  });

  test("leave nothing behind when the last one is gone for five seconds", async () => {
    const only = lease(tenant().tenant);
    await only.relay;
    const client = await attach();
    only.release();
    only.release();
    clock.advance(lingerMs);
    expect((await client.closed).code).toBeOneOf([1001, 1006]);
    await waitUntil("no descriptor", () => descriptors().length === 0);
    const next = lease(tenant().tenant);
    await next.relay;
    expect(next.presence().size).toBe(0);
    await next.close();
    expect(descriptors()).toEqual([]);
  });

  test("closing ends the relay at once, but not while another instance uses it", async () => {
    const [first, second] = [lease(tenant().tenant), lease(tenant().tenant)];
    await first.relay;
    await first.close();
    expect(descriptors()).toHaveLength(1);
    await second.close();
    expect(descriptors()).toEqual([]);
  });

  test("let the newest one that decides answer the command line", async () => {
    const observed = (line: string) => tenant({ observer: () => ({ status: () => ({ lines: [line] }) }) });
    const [decides, standsBy] = [observed("I decide"), tenant()];
    const leases = [lease(decides.tenant), lease(standsBy.tenant)];
    await leases[0]?.relay;
    expect(await leases[1]?.calls.handlers.ask({ ask: "status" })).toMatchObject({ status: { lines: ["I decide"] } });
    const takesOver = observed("now I");
    leases.push(lease(takesOver.tenant));
    expect(await leases[0]?.calls.handlers.ask({ ask: "status" })).toMatchObject({ status: { lines: ["now I"] } });
    for (const one of leases) await one.close();
  });

  test("reach a terminal by socket, and one without a socket by plugin call", async () => {
    const only = lease(tenant().tenant);
    await only.relay;
    const client = await attach();
    const wishes: unknown[] = [];
    only.calls.connect(async (_event, { viewer }) => void wishes.push(viewer));
    const called = { viewer: "far", name: "far", seq: 1, report: report("blurred") };
    await only.calls.handlers.report(called);
    only.terminals.navigate("far", "ses_b");
    only.terminals.navigate("terminal-a", "ses_b");
    expect(await client.take("navigate")).toMatchObject({ sessionID: "ses_b" });
    expect(wishes).toEqual(["far"]);
    client.socket.terminate();
    await only.close();
  });

  test("go on without a relay where it cannot be announced, and plugin calls still count", async () => {
    const only = lease(tenant().tenant, []);
    expect(await only.relay).toMatchObject({ ok: false, error: { kind: "not-announced" } });
    await only.calls.handlers.report({ viewer: "v", name: "v", seq: 1, report: report("focused") });
    expect(only.presence().size).toBe(1);
    const raised = only.terminals.raise("v", { key: "k", title: "t", body: "b", urgency: "low" });
    clock.advance(2_000);
    expect(await raised).toBe(false);
    await only.close();
  });
});
