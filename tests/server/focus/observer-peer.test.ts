import { describe, expect, test } from "vitest";
import { createObserverPeer, type Observer } from "../../../src/server/focus/observer-peer.ts";
import { encode, type FromObserver } from "../../../src/shared/protocol.ts";
import { settled } from "../../fakes/settled.ts";

/** A command line that is connected to a server part that can do this. */
function connect(observer?: Partial<Observer>) {
  const sent: unknown[] = [];
  const line = { send: (text: string) => void sent.push(JSON.parse(text)), end: () => {} };
  const peer = createObserverPeer(line, () => observer && { status: () => "fine", ...observer });
  return { peer, sent, say: (frame: FromObserver) => peer.receive(encode(frame)) };
}

test("a goodbye ends it, and what is no frame ends it too", () => {
  const { peer, say } = connect();
  expect(say({ type: "bye" })).toBe("done");
  expect(peer.receive("{}")).toBe("malformed");
});

test("decisions are told only to who asked for them", () => {
  const { peer, sent, say } = connect();
  peer.decision("unasked");
  say({ type: "subscribe" });
  peer.decision("asked");
  expect(sent).toEqual([
    { type: "answer", to: "subscribe", ok: true, text: "subscribed" },
    { type: "decision", decision: "asked" },
  ]);
});

test("what a server part cannot do is said", () => {
  const { sent, say } = connect();
  for (const frame of [{ type: "record", on: true }, { type: "mute", ms: 0 }, { type: "test" }] as const) say(frame);
  say({ type: "status" });
  const missing = { type: "answer", ok: false, text: "not available here" };
  expect(sent).toEqual([
    ...["record", "mute", "test"].map((to) => ({ ...missing, to })),
    { type: "status", status: null },
  ]);
});

test("why something failed is said in the words of what failed", async () => {
  const { sent, say } = connect({
    mute: () => Promise.reject(new Error("the disk is full")),
    test: async () => "sent",
  });
  say({ type: "mute", ms: 60_000 });
  say({ type: "test" });
  await settled();
  expect(sent).toContainEqual({ type: "answer", to: "mute", ok: false, text: "the disk is full" });
  expect(sent).toContainEqual({ type: "answer", to: "test", ok: true, text: "sent" });
});

test("a test of push alone is one of push alone, and never one of everything", async () => {
  const able = connect({ test: async () => "everything", testPush: async (kind) => `push of ${kind}` });
  able.say({ type: "test", push: "error" });
  const unable = connect({ test: async () => "everything" });
  unable.say({ type: "test", push: "error" });
  await settled();
  expect(able.sent).toEqual([{ type: "answer", to: "test", ok: true, text: "push of error" }]);
  expect(unable.sent).toEqual([{ type: "answer", to: "test", ok: false, text: "not available here" }]);
});

describe("a recording", () => {
  async function recording() {
    const ends: number[] = [];
    let begun = 0;
    const connection = connect({
      record(onLine) {
        begun += 1;
        const number = begun;
        onLine(`line of ${number}`);
        return () => ends.push(number);
      },
    });
    connection.say({ type: "record", on: true });
    await settled();
    return { ...connection, ends };
  }

  test("tells its lines until it is switched off", async () => {
    const { sent, say, ends } = await recording();
    say({ type: "record", on: false });
    expect(ends).toEqual([1]);
    expect(sent).toEqual([
      { type: "trace", line: "line of 1" },
      { type: "answer", to: "record", ok: true, text: "recording" },
      { type: "answer", to: "record", ok: true, text: "stopped" },
    ]);
  });

  test("that is begun anew ends the one before", async () => {
    const { say, ends } = await recording();
    say({ type: "record", on: true });
    expect(ends).toEqual([1]);
  });

  test("that is switched off before it has begun ends as soon as it begins, and says nothing any more", async () => {
    let ended = false;
    let begin = (_end: () => void): void => {};
    const begun = new Promise<() => void>((resolve) => {
      begin = resolve;
    });
    const { sent, say } = connect({ record: () => begun });
    say({ type: "record", on: true });
    say({ type: "record", on: false });
    begin(() => {
      ended = true;
    });
    await settled();
    expect(ended).toBe(true);
    expect(sent).toEqual([{ type: "answer", to: "record", ok: true, text: "stopped" }]);
  });

  test("ends with its connection", async () => {
    const { peer, ends } = await recording();
    peer.gone();
    expect(ends).toEqual([1]);
  });
});
