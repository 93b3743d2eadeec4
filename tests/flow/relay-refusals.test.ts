import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../rig/bundle.ts";
import { type Client, openClient, report, terminalHello } from "./relay/client.ts";
import { frame, openRaw, type Raw, upgradeRequest } from "./relay/raw.ts";
import { runtimes } from "./relay/runtimes.ts";
import { type RelayProcess, startRelayProcess } from "./relay/start-relay-process.ts";

let script: string;
beforeAll(async () => {
  script = await bundle(new URL("./relay/relay-main.ts", import.meta.url));
});

/** By a port, where strangers can come; what holds there holds at a unix socket, for it is the same code. */
describe.each(runtimes)("a relay on TCP under $name", (runtime) => {
  let relay: RelayProcess;
  let url: string;
  let token: string;
  const clients: Client[] = [];
  const raws: Raw[] = [];

  beforeAll(async () => {
    relay = await startRelayProcess(runtime, script, { onlyTCP: true });
    ({ url, token } = relay.descriptor());
  });
  afterAll(() => relay.end());
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate();
    for (const { socket } of raws.splice(0)) socket.destroy();
    await known([]);
    await stillServes();
    expect(relay.said.filter((line) => "crashed" in line)).toEqual([]);
  });

  const connect = (address = url, options = {}) => {
    const client = openClient(address, options);
    clients.push(client);
    return client;
  };
  const raw = (bytes?: string | Buffer) => {
    const opened = openRaw(url, bytes);
    raws.push(opened);
    return opened;
  };
  const attach = async (more: object = {}) => {
    const client = connect();
    client.send(terminalHello(token, more));
    await client.take("welcome");
    return client;
  };
  /** A socket that was cut ends here before it does there: the relay may learn it a little later. */
  const known = (terminals: object[]) => expect.poll(relay.presence, { timeout: 30_000 }).toMatchObject(terminals);
  /** Whatever was done to it, it lets an honest terminal in, and has learnt nothing from the others. */
  async function stillServes() {
    const client = openClient(url);
    client.send(terminalHello(token, { id: "honest", report: report("blurred") }));
    await client.take("welcome");
    await known([{ id: "honest", report: { focus: "blurred" } }]);
    client.send({ type: "bye" });
    await client.closed;
    await known([]);
  }

  describe("does not upgrade", () => {
    test.each<[string, string, Record<string, string | undefined>, number]>([
      ["a request with the Origin of a web page", "/focus", { Origin: "https://evil.example" }, 403],
      ["a request with an Origin that looks harmless", "/focus", { Origin: "null" }, 403],
      ["a request for a name somebody pointed at loopback", "/focus", { Host: "evil.example" }, 403],
      ["a request without a host", "/focus", { Host: "" }, 403],
      ["another path", "/", {}, 404],
      ["a path with dots", "/../focus", {}, 404],
      ["a path with encoded dots", "/%2e%2e/focus", {}, 404],
      ["a whole address as a path", "http://127.0.0.1/focus", {}, 404],
      ["a token in the address", "/focus?token=TOKEN", {}, 401],
      ["an old version of the protocol", "/focus", { "Sec-WebSocket-Version": "8" }, 426],
      ["a handshake without a key", "/focus", { "Sec-WebSocket-Key": undefined }, 400],
      ["another protocol than websocket", "/focus", { Upgrade: "h2c" }, 426],
    ])("%s", async (_what, path, headers, status) => {
      const stranger = raw(upgradeRequest(path.replace("TOKEN", token), headers));
      await stranger.ended;
      expect(stranger.received()).not.toContain(" 101 ");
      expect(stranger.received()).toContain(` ${status} `);
    });

    test("a plain request", async () => {
      const stranger = raw("GET /focus HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      await stranger.ended;
      expect(stranger.received()).toContain(" 426 ");
    });

    test.each([
      ["garbage", "\0\x01\x02 garbage\r\n\r\n"],
      ["a TLS hello", Buffer.from("1603010200010001fc0303", "hex")],
      ["an endless header", `GET /focus HTTP/1.1\r\nX: ${"x".repeat(200_000)}`],
    ])("%s: the socket is ended", async (_what, bytes) => {
      await raw(bytes).ended;
    });
  });

  describe("ends a connection", () => {
    const stranger = (hello: unknown) => {
      const client = connect();
      client.send(hello);
      return client.closed;
    };

    test.each<[string, (right: string) => string]>([
      ["another token", () => "A".repeat(43)],
      ["no token", () => ""],
      ["the beginning of the right token", (right) => right.slice(0, -1)],
      ["the right token and more", (right) => `${right}A`],
    ])("with %s: 4401", async (_what, wrong) => {
      expect(await stranger(terminalHello(wrong(token)))).toMatchObject({ code: 4401 });
    });

    test.each<[string, unknown]>([
      ["no JSON", "{"],
      ["JSON that is no frame", "[]"],
      ["a frame out of turn", { type: "report", seq: 1, report: report("focused") }],
      ["a role nobody has", { ...terminalHello("x"), role: "admin" }],
      ["a report that is none", { ...terminalHello("x"), report: { focus: "yes" } }],
    ])("with %s for a hello: 4400", async (_what, hello) => {
      expect(await stranger(hello)).toMatchObject({ code: 4400 });
    });

    test("that says nothing for two seconds: 4408", async () => {
      const client = connect();
      expect(await client.closed).toMatchObject({ code: 4408 });
    });

    test("of a terminal that sends an unknown frame, key or value: 4400", async () => {
      for (const wrong of [
        { type: "nonsense" },
        { type: "report", seq: 2, report: report("focused"), more: 1 },
        { type: "report", seq: -1, report: report("focused") },
        { type: "report", seq: 2, report: { ...report("focused"), idleMs: "0" } },
        { type: "subscribe" },
      ]) {
        const client = await attach();
        client.send(wrong);
        expect(await client.closed).toMatchObject({ code: 4400 });
      }
    });

    test("of an observer that reports: 4400", async () => {
      const client = connect();
      client.send({ type: "hello", role: "observer", protocols: [1], token });
      await client.take("welcome");
      client.send({ type: "report", seq: 1, report: report("focused") });
      expect(await client.closed).toMatchObject({ code: 4400 });
    });

    test("with a frame of 4 KiB and one byte, before and after the hello: 1009", async () => {
      expect(await stranger("x".repeat(4_097))).toMatchObject({ code: 1009 });
      const client = await attach();
      client.send("x".repeat(4_097));
      expect(await client.closed).toMatchObject({ code: 1009 });
    });

    test("with a frame of 5 MB", async () => {
      const client = await attach();
      client.send("x".repeat(5_000_000));
      expect((await client.closed).code).toBeOneOf([1009, 1006]);
    });

    test("but takes a frame of exactly 4 KiB for what it says", async () => {
      const client = await attach({ id: "terminal-b" });
      const short = JSON.stringify({ type: "report", seq: 2, report: report("blurred") });
      client.send(short + " ".repeat(4_096 - short.length));
      await relay.until((line) => JSON.stringify(line).includes('"seq":2,"report":{"focus":"blurred"'));
    });

    test("with bytes instead of text: 1003", async () => {
      const client = await attach();
      client.socket.send(Buffer.from(JSON.stringify({ type: "bye" })));
      expect(await client.closed).toMatchObject({ code: 1003 });
    });

    test("with more than 50 frames at once: 4429", async () => {
      const client = await attach();
      for (let seq = 2; seq < 300; seq += 1) client.send({ type: "report", seq, report: report("focused") });
      expect(await client.closed).toMatchObject({ code: 4429 });
    });

    test("that never finishes a message made of pieces", async () => {
      const flood = raw(upgradeRequest("/focus"));
      await expect.poll(flood.received, { timeout: 30_000 }).toContain(" 101 ");
      const piece = frame("x".repeat(1_000), { opcode: 0, last: false });
      flood.socket.write(frame("x", { opcode: 1, last: false }));
      const feeding = setInterval(() => flood.socket.writable && flood.socket.write(piece), 1);
      await flood.ended; // at the latest by the deadline for a hello
      clearInterval(feeding);
    });

    test("that breaks the rules of the websocket itself", async () => {
      for (const broken of [Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), Buffer.from([0x83, 0x80, 0, 0, 0, 0])]) {
        const peer = raw(upgradeRequest("/focus"));
        await expect.poll(peer.received, { timeout: 30_000 }).toContain(" 101 ");
        peer.socket.write(broken);
        await peer.ended;
      }
    });

    test("that vanishes in the middle of its hello, without knowing a thing from it", async () => {
      for (let cut = 1; cut < 200; cut += 20) {
        const peer = raw(upgradeRequest("/focus"));
        await expect.poll(peer.received, { timeout: 30_000 }).toContain(" 101 ");
        peer.socket.write(frame(JSON.stringify(terminalHello(token))).subarray(0, cut));
        peer.socket.destroy();
      }
    });
  });

  describe("has room", () => {
    test("for 64 terminals: the 65th is told 4503, and gets in when one leaves", async () => {
      const crowd = await Promise.all(Array.from({ length: 64 }, (_, n) => attach({ id: `terminal-${n}` })));
      const late = connect();
      late.send(terminalHello(token, { id: "late" }));
      expect(await late.closed).toMatchObject({ code: 4503 });
      const since = relay.said.length;
      crowd[0]?.socket.terminate();
      await relay.until((line) => Array.isArray(line.presence) && line.presence.length === 63, since);
      await attach({ id: "late" });
    });

    test("for an observer while all places for terminals are taken", async () => {
      await Promise.all(Array.from({ length: 64 }, (_, n) => attach({ id: `terminal-${n}` })));
      const observer = connect();
      observer.send({ type: "hello", role: "observer", protocols: [1], token });
      await observer.take("welcome");
    });

    test("for those it knows while 300 sockets say nothing or half a request, and for others when it ended those", async () => {
      const known = await attach({ id: "known" });
      const idle = Array.from({ length: 300 }, (_, n) => raw(n % 2 === 0 ? undefined : "GET /focus HTTP/1.1\r\nHo"));
      known.send({ type: "report", seq: 2, report: report("unknown") });
      await relay.until((line) => JSON.stringify(line).includes('"seq":2,"report":{"focus":"unknown"'));
      await Promise.all(idle.map(({ ended }) => ended));
    });

    test("for an honest terminal soon after 300 that upgrade and then say nothing", async () => {
      const idle = Array.from({ length: 300 }, () => raw(upgradeRequest("/focus")));
      await Promise.all(idle.map(({ ended }) => ended));
    });

    test("after 10,000 attempts, with no more memory than before", async () => {
      const attempt = async () => {
        const stranger = openRaw(url, upgradeRequest("/focus", { Origin: "https://evil.example" }));
        await stranger.ended;
        expect(stranger.received()).not.toContain(" 101 ");
      };
      const rounds = async (count: number) => {
        for (let round = 0; round < count; round += 1) await Promise.all(Array.from({ length: 50 }, attempt));
      };
      await rounds(40);
      const before = await relay.memory();
      await rounds(160);
      expect(await relay.memory()).toBeLessThan(before + 64 * 1_048_576);
    });
  });

  test("whatever a stranger or a terminal sends, it neither crashes nor takes anybody for attending", async () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    const nearly = fc
      .record({ key: fc.constantFrom("type", "seq", "report", "focus", "more"), value: fc.jsonValue() })
      .map(({ key, value }) => JSON.stringify({ type: "report", seq: 2, report: report("blurred"), [key]: value }));
    const since = relay.said.length;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anything, nearly), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (texts, known) => {
          const client = known ? await attach({ report: report("blurred") }) : connect();
          for (const text of texts) client.send(text);
          client.send("end of what it has to say");
          await client.closed;
        },
      ),
      { numRuns: 60 },
    );
    await relay.settle();
    const said = relay.said.slice(since).map((line) => JSON.stringify(line));
    expect(said.filter((line) => line.includes("crashed") || line.includes('"focused"'))).toEqual([]);
  });
});
