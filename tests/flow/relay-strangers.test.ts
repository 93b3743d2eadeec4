import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unixPath } from "../../src/shared/rendezvous.ts";
import { bundle } from "../rig/bundle.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { asNobody } from "../rig/plain-user.ts";
import { type Client, openClient, report, terminalHello } from "./relay/client.ts";
import { frame, openRaw, type Raw, upgradeRequest } from "./relay/raw.ts";
import { runtimes } from "./relay/runtimes.ts";
import { type RelayProcess, startRelayProcess } from "./relay/start-relay-process.ts";

const MiB = 1_048_576;
/** Far below what is sent, which would all be kept; how little it really is, is measured (`npm run bench -- strangers`). */
const mostGrowth = 128 * MiB;
/** Far above what the kernel takes for a peer that does not read: a flood that was not cut would get rid of all of it. */
const floodBytes = 64 * MiB;

let script: string;
beforeAll(async () => {
  script = await bundle(new URL("./relay/relay-main.ts", import.meta.url));
});

const many = (one: Buffer) => Buffer.concat(Array.from({ length: Math.ceil(MiB / one.length) }, () => one));
/** The head of a frame of 15 MB, whose end never comes. */
const hugeHead = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 0, 0, 0, 0]);
const begunText = frame("a", { last: false });

/** First what is sent once, then what is sent again and again. */
const floods: [name: string, once: Buffer, again: Buffer][] = [
  ["a frame of 15 MB that never ends", hugeHead, Buffer.alloc(MiB, 97)],
  ["pongs", Buffer.alloc(0), many(frame(Buffer.alloc(125), { opcode: 10 }))],
  ["pings", Buffer.alloc(0), many(frame(Buffer.alloc(125), { opcode: 9 }))],
  ["empty pieces of a text", begunText, many(frame("", { opcode: 0, last: false }))],
  ["pieces of one letter", begunText, many(frame("b", { opcode: 0, last: false }))],
  ["frames no websocket knows", Buffer.alloc(0), many(frame("x", { opcode: 3 }))],
];

/** Sends on and on until it is cut. Rejects when somebody took all of it. */
async function flood(stranger: Raw, once: Buffer, again: Buffer): Promise<void> {
  stranger.socket.write(once);
  for (let sent = 0; sent < floodBytes; sent += again.length) {
    if (!stranger.socket.writable) return stranger.ended;
    await Promise.race([new Promise((taken) => stranger.socket.write(again, taken)), stranger.ended]);
  }
  throw new Error(`took ${floodBytes} bytes of a stranger`);
}

describe.each(runtimes)("a relay on TCP under $name", (runtime) => {
  let relay: RelayProcess;
  let known: Client;
  const raws: Raw[] = [];
  const url = () => relay.descriptor().url;
  const raw = (bytes: string) => {
    const opened = openRaw(url(), bytes);
    raws.push(opened);
    return opened;
  };
  const upgraded = async () => {
    const stranger = raw(upgradeRequest("/focus"));
    await waitUntil("an upgrade", () => stranger.received().includes(" 101 "));
    return stranger;
  };

  beforeAll(async () => {
    relay = await startRelayProcess(runtime, script, { onlyTCP: true });
    known = openClient(url());
    known.send(terminalHello(relay.descriptor().token, { id: "known" }));
    await known.take("welcome");
    // What a runtime takes once for its first strangers is nothing they can repeat.
    for (let round = 0; round < 5; round += 1) await flood(await upgraded(), begunText, many(frame("")));
  });
  afterAll(() => relay.end());
  afterEach(async () => {
    for (const { socket } of raws.splice(0)) socket.destroy();
    await servesStill();
    expect(relay.said.filter((line) => "crashed" in line)).toEqual([]);
  });

  let seq = 1;
  /** Who was there is heard and asked as before; who comes is let in. */
  async function servesStill(): Promise<void> {
    seq += 1;
    const since = relay.said.length;
    known.send({ type: "report", seq, report: report("focused", `ses_${seq}`) });
    await relay.until((line) => JSON.stringify(line).includes(`"seq":${seq},"report":{"focus":"focused"`), since);
    relay.order({ do: "raise", terminal: "known" });
    const { request } = await known.take("raise");
    known.send({ type: "raised", request, ok: true });
    await relay.until((line) => line.raised === true, since);
    const fresh = openClient(url());
    fresh.send(terminalHello(relay.descriptor().token, { id: "fresh", report: report("blurred") }));
    await fresh.take("welcome");
    fresh.send({ type: "bye" });
    expect(await fresh.closed).toMatchObject({ code: 1000 });
  }

  test.each(floods)(
    "cuts a stranger that sends %s, as often as it comes, and does not grow",
    async (_name, once, again) => {
      const before = await relay.memory();
      for (let round = 0; round < 3; round += 1)
        await Promise.all(Array.from({ length: 14 }, async () => flood(await upgraded(), once, again)));
      await servesStill();
      expect(await relay.memory()).toBeLessThan(before + mostGrowth);
    },
  );

  test("cuts strangers whose request drips in, and those that ask for nothing", async () => {
    const before = await relay.memory();
    const slow = Array.from({ length: 150 }, () => raw("GET /focus HTTP/1.1\r\n"));
    const silent = Array.from({ length: 150 }, () => raw(""));
    const dripping = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write("X: y\r\n");
    }, 50);
    await servesStill();
    await Promise.all([...slow, ...silent].map(({ ended }) => ended));
    clearInterval(dripping);
    expect(await relay.memory()).toBeLessThan(before + mostGrowth);
  });

  test("outlives 3,000 connections and does not grow by them", async () => {
    const before = await relay.memory();
    const { port } = new URL(url());
    const knock = () =>
      new Promise<void>((gone) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.destroy());
        socket.on("error", () => {}).on("close", () => gone());
      });
    for (let round = 0; round < 60; round += 1) await Promise.all(Array.from({ length: 50 }, knock));
    await servesStill();
    expect(await relay.memory()).toBeLessThan(before + mostGrowth);
  });

  test("cuts a command line that does not read what it asked for, and keeps no more for it than 4 MiB", async () => {
    const before = await relay.memory();
    const observer = await upgraded();
    observer.socket.write(
      frame(JSON.stringify({ type: "hello", role: "observer", protocols: [1], token: relay.descriptor().token })),
    );
    observer.socket.write(frame(JSON.stringify({ type: "subscribe" })));
    await expect.poll(observer.received, { timeout: 30_000 }).toContain("subscribed");
    observer.socket.pause();
    const decision = { reason: "x".repeat(256 * 1_024) };
    for (let sent = 0; sent < floodBytes; sent += decision.reason.length) relay.order({ do: "decide", decision });
    await relay.settle();
    expect(await relay.memory()).toBeLessThan(before + 2 * mostGrowth); // the orders themselves pass through it
    observer.socket.resume();
    await observer.ended;
    expect(observer.received().length).toBeLessThan(floodBytes / 2);
  });
});

needs("setpriv")("another user of this machine", () => {
  test.runIf(process.getuid?.() === 0).each(runtimes)(
    "cannot even knock at a relay's socket under $name, nor see that it is there",
    async (runtime) => {
      const relay = await startRelayProcess(runtime, script);
      chmodSync(dirname(relay.folder), 0o755); // only the folder of ours is in the way
      const path = unixPath(relay.descriptor().url);
      const knocking = `require("net").connect(${JSON.stringify(path)}).on("connect", () => console.log("in")).on("error", (e) => console.log(e.code)).on("close", () => process.exit())`;
      const [program = "", ...argv] = asNobody([process.execPath, "-e", knocking]);
      const { stdout } = spawnSync(program, argv, { encoding: "utf8", cwd: "/" });
      expect(stdout.trim()).toBe("EACCES");
      await relay.end();
    },
  );
});
