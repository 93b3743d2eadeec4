import { describe, expect, test } from "vitest";
import { closeCodes } from "../../src/shared/close-codes.ts";
import { encode } from "../../src/shared/protocol.ts";
import type { SocketEvents } from "../../src/tui/open-socket.ts";
import { startRelayClient, type Wish } from "../../src/tui/relay-client.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

const welcome = encode({ type: "welcome", protocol: 1, relay: "relay-1", heartbeatMs: 10_000 });
const report = { focus: "focused" as const, view: { type: "home" as const }, idleMs: 0 };
const abilities = { notify: ["bell"], ssh: false };

/** Sockets that open when the test says so. */
function setUp({ refuses = false, wanted = true, obey = async (_wish: Wish) => true } = {}) {
  const served = { elsewhere: false };
  const clock = createHandCrankedClock();
  const sockets: { events: SocketEvents; sent: string[]; over: boolean }[] = [];
  const client = startRelayClient({
    clock,
    address: { id: "a", url: "ws://127.0.0.1:1/focus", token: "secret" },
    dice: () => 0,
    hello: (token) => `hello ${token}`,
    onWish: obey,
    mayComeBack: () => wanted,
    isServed: () => served.elsewhere,
    async openSocket(_url, events) {
      if (refuses) throw new Error("no ws here");
      const socket = { events, sent: [] as string[], over: false };
      sockets.push(socket);
      const end = () => {
        if (socket.over) return;
        socket.over = true;
        events.onClose(1006);
      };
      return { send: (text) => socket.sent.push(text), close: end, cut: end };
    },
  });
  /** The newest socket, opened, and after that welcomed. */
  const open = async () => {
    await Promise.resolve();
    const socket = sockets.at(-1);
    socket?.events.onOpen();
    return socket;
  };
  return { clock, client, sockets, served, open };
}
const settle = () => new Promise(setImmediate);

describe("a terminal at one relay", () => {
  test("says hello when the socket opens, and nothing before it", async () => {
    const { client, sockets, open } = setUp();
    await settle();
    client.tell({ seq: 1, report, abilities });
    expect(sockets[0]?.sent).toEqual([]);
    const socket = await open();
    expect(socket?.sent).toEqual(["hello secret"]);
    expect(client.welcomedBy()).toBeUndefined();
    socket?.events.onText(welcome);
    client.tell({ seq: 2, report, abilities });
    expect(client.welcomedBy()).toBe("relay-1");
    expect(socket?.sent.slice(1)).toEqual([encode({ type: "report", seq: 2, report, abilities })]);
  });

  test("tells what changes while a slow relay thinks about the hello: it holds what that said until then", async () => {
    const { client, open } = setUp();
    const socket = await open();
    const left = { seq: 2, report: { ...report, focus: "blurred" as const }, abilities };
    client.tell(left);
    socket?.events.onText(welcome);
    expect(socket?.sent.slice(1)).toEqual([encode({ type: "report", ...left })]);
  });

  test("answers for an alert only on the connection it came by: the next one counts anew", async () => {
    const written: ((ok: boolean) => void)[] = [];
    const { clock, sockets, open } = setUp({ obey: () => new Promise((done) => written.push(done)) });
    const alert = { key: "k", title: "t", body: "b", urgency: "low" as const };
    for (const _connection of ["first", "second"]) {
      const socket = await open();
      socket?.events.onText(welcome);
      socket?.events.onText(encode({ type: "raise", request: 1, alert }));
      if (sockets.length === 1) socket?.events.onClose(1006);
      clock.advance(250);
      await settle();
    }
    written[0]?.(true);
    await settle();
    expect(sockets.map(({ sent }) => sent)).toEqual([["hello secret"], ["hello secret"]]);
    written[1]?.(false);
    await settle();
    expect(sockets[1]?.sent.at(-1)).toBe(encode({ type: "raised", request: 1, ok: false }));
  });

  test("stays away while another connection of ours serves that relay, and comes when that has ended", async () => {
    const { clock, sockets, served, open } = setUp();
    const socket = await open();
    socket?.events.onText(welcome);
    served.elsewhere = true;
    socket?.events.onClose(closeCodes.replaced);
    clock.advance(60_000);
    await settle();
    expect(sockets).toHaveLength(1);
    served.elsewhere = false;
    clock.advance(5_000);
    await settle();
    expect(sockets).toHaveLength(2);
  });

  test("gives up a connection whose very opening took longer than that, too", async () => {
    let opened = (_socket: { cut(): void }) => {};
    let cut = false;
    const clock = createHandCrankedClock();
    startRelayClient({
      clock,
      address: { id: "a", url: "ws://127.0.0.1:1/focus", token: "secret" },
      dice: () => 0,
      hello: (token) => `hello ${token}`,
      onWish: async () => true,
      mayComeBack: () => true,
      isServed: () => false,
      openSocket: () =>
        new Promise((resolve) => {
          opened = ({ cut }) => resolve({ send: () => {}, close: () => {}, cut });
        }),
    });
    clock.advance(6_000);
    opened({
      cut() {
        cut = true;
      },
    });
    await settle();
    clock.advance(5_000);
    expect(cut).toBe(true);
  });

  test("comes back after 0.25 s, then later and later, at most every 5 s", async () => {
    const { clock, sockets, open } = setUp();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      (await open())?.events.onClose(1006);
      const before = sockets.length;
      const at = clock.now();
      while (sockets.length === before) {
        clock.advance(10);
        await settle();
      }
      waits.push(clock.now() - at);
    }
    expect(waits[0]).toBe(250);
    expect(waits.every((wait, n) => n === 0 || wait >= (waits[n - 1] ?? 0))).toBe(true);
    expect(waits.at(-1)).toBeGreaterThan(3_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(5_000);
  });

  test("starts over with short waits once it was welcome", async () => {
    const { clock, sockets, open } = setUp();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      (await open())?.events.onClose(1006);
      clock.advance(5_000);
      await settle();
    }
    const socket = await open();
    socket?.events.onText(welcome);
    socket?.events.onClose(1001);
    const before = sockets.length;
    clock.advance(250);
    await settle();
    expect(sockets.length).toBe(before + 1);
  });

  test("gives up a connection that neither opens nor welcomes it within 5 s", async () => {
    const { clock, sockets } = setUp();
    await settle();
    clock.advance(5_000);
    expect(sockets[0]?.over).toBe(true);
    clock.advance(250);
    await settle();
    expect(sockets).toHaveLength(2);
  });

  test("does not come back where nobody is announced any more", async () => {
    const { clock, sockets, open } = setUp({ wanted: false });
    (await open())?.events.onClose(1001);
    clock.advance(60_000);
    await settle();
    expect(sockets).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  });

  test("lives on where there are no websockets at all", async () => {
    const { clock, client } = setUp({ refuses: true });
    await settle();
    clock.advance(60_000);
    await settle();
    client.tell({ seq: 1, report, abilities });
    client.stop();
    clock.advance(1_000);
    expect(clock.waiting()).toBe(0);
  });

  test("does what it is asked and says whether an alert was written, also when that failed", async () => {
    const wishes: Wish[] = [];
    const { open } = setUp({
      obey: async (wish) => {
        wishes.push(wish);
        if (wish.type === "raise" && wish.request === 2) throw new Error("broken");
        return true;
      },
    });
    const socket = await open();
    socket?.events.onText(welcome);
    const alert = { key: "k", title: "t", body: "b", urgency: "low" as const };
    socket?.events.onText(encode({ type: "navigate", sessionID: "ses_a" }));
    socket?.events.onText(encode({ type: "raise", request: 1, alert }));
    socket?.events.onText(encode({ type: "raise", request: 2, alert }));
    await settle();
    expect(wishes.map(({ type }) => type)).toEqual(["navigate", "raise", "raise"]);
    expect(socket?.sent.slice(1).map((text) => JSON.parse(text))).toEqual([
      { type: "raised", request: 1, ok: true },
      { type: "raised", request: 2, ok: false },
    ]);
  });

  test("does nothing that was not asked for in a known frame", async () => {
    const wishes: Wish[] = [];
    const { open } = setUp({ obey: async (wish) => wishes.push(wish) > 0 });
    const socket = await open();
    for (const text of ["{", '{"type":"exec","command":"x"}', '{"type":"navigate","sessionID":7}'])
      socket?.events.onText(text);
    await settle();
    expect(wishes).toEqual([]);
    expect(socket?.over).toBe(false);
  });

  test("says goodbye, does nothing more and does not come back", async () => {
    const wishes: Wish[] = [];
    const { clock, client, sockets, open } = setUp({ obey: async (wish) => wishes.push(wish) > 0 });
    const socket = await open();
    socket?.events.onText(welcome);
    client.stop();
    socket?.events.onText(encode({ type: "navigate", sessionID: "ses_a" }));
    expect(wishes).toEqual([]);
    expect(socket?.sent.at(-1)).toBe(encode({ type: "bye" }));
    clock.advance(60_000);
    await settle();
    expect(sockets).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  });
});
