import { dirname } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Runtime, runtimes } from "../../package/runtimes.ts";
import { bundle } from "../../rig/bundle.ts";
import { printed, startChild } from "../../rig/host/child.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { type Hostility, startHostileServer } from "../../rig/http/hostile-server.ts";
import { startNtfy } from "../../rig/ntfy/ntfy-server.ts";

vi.setConfig({ testTimeout: 60_000 });

/** What a runtime may grow by over one bad answer; without limits it is hundreds within a second. MB. */
const mostGrowth = 48;

let bundled: string;
beforeAll(async () => {
  bundled = await bundle(new URL("./programs/push-to-hostile.ts", import.meta.url));
});

/** Pushes to such a server in a process of its own; resolves when that has hung up everywhere, and still lives. */
async function pushTo(what: Hostility, { program, args, env }: Runtime, listens: boolean) {
  const [good, bad] = [await startNtfy(), await startHostileServer(what, listens ? "GET" : "POST")];
  onTestFinished(async () => {
    await Promise.all([good.close(), bad.close()]);
  });
  const child = startChild(program, [...args, bundled], {
    cwd: dirname(bundled),
    env: {
      ...env,
      PATH: process.env.PATH ?? "",
      GOOD: good.url,
      BAD: bad.url,
      ...(listens ? { LISTENS: "per_1" } : {}),
    },
  });
  onTestFinished(async () => void (await child.end()));
  const [line] = await printed(child, /^\{.*\}$/m);
  await waitUntil("every connection to be closed", () => bad.open() === 0);
  const said: { delivery: object; lines: string[]; grownMB: number } = JSON.parse(line);
  return { ...said, requests: bad.requests, stderr: child.stderr() };
}

const accepted = { ok: true, outlet: "ntfy", certainty: "accepted" };
const lost = (detail: string) => ({ ok: false, outlet: "ntfy", reason: "lost", detail });
const timeout = { ok: false, outlet: "ntfy", reason: "timeout", detail: "no answer within 1500 ms" };
const tooLong = lost("the head of its answer is too long");

describe.each(runtimes())("in $name a push", (runtime) => {
  test.each<[Hostility, object, number]>([
    ["an endless body", accepted, 1],
    ["an endless chunked body", accepted, 1],
    ["a gzip bomb", accepted, 1],
    ["gzip that is none", accepted, 1],
    ["a connection reset in the body", accepted, 1],
    ["endless headers", tooLong, 1],
    ["one endless header", tooLong, 1],
    ["endless interim answers", tooLong, 1],
    ["endless garbage", tooLong, 1],
    ["a head that never ends", timeout, 1],
    ["a head byte by byte", timeout, 1],
    ["silence", timeout, 1],
    ["a connection reset in the head", { ok: false, reason: "lost" }, 2],
    ["a redirect to itself", { ok: false, reason: "refused", detail: "HTTP 307" }, 1],
    ["another protocol", { ok: false, reason: "refused", detail: "HTTP 101" }, 1],
  ])("answered with %s costs next to nothing, and is hung up", async (what, delivery, tries) => {
    const { requests, stderr, grownMB, ...said } = await pushTo(what, runtime, false);
    expect(said.delivery).toMatchObject(delivery);
    expect(requests).toHaveLength(tries);
    expect(requests[0]).toMatch(/^Accept-Encoding: identity\r?$/m);
    expect(grownMB).toBeLessThan(mostGrowth);
    expect(stderr).toBe("");
  });

  test.each<[Hostility, string]>([
    ["an endless body", "what it says is not ntfy's"],
    ["lines without an end", "what it says is not ntfy's"],
    ["an endless chunked body", "what it says is not ntfy's"],
    ["endless lines of a chunk", "what it says is not ntfy's"],
    ["a gzip bomb", "what it says is not ntfy's"],
    ["gzip that is none", "what it says is not ntfy's"],
    ["endless headers", "the head of its answer is too long"],
    ["one endless header", "the head of its answer is too long"],
    ["endless interim answers", "the head of its answer is too long"],
    ["endless garbage", "the head of its answer is too long"],
    ["a redirect to itself", "HTTP 307"],
    ["another protocol", "HTTP 101"],
  ])("whose answers are listened for where there is %s is not listened for again", async (what, why) => {
    const { requests, stderr, grownMB, lines } = await pushTo(what, runtime, true);
    expect(lines).toEqual([`push: answers cannot be heard (${why})`]);
    expect(requests.filter((head) => head.startsWith("GET "))).toHaveLength(1);
    expect(grownMB).toBeLessThan(mostGrowth);
    expect(stderr).toBe("");
  });
});
