import { describe, expect, test } from "vitest";
import type { Delivery, DeliveryFailure, Note, Outlet } from "../../../src/server/delivery/channel.ts";
import { createChannel } from "../../../src/server/delivery/create-channel.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { noteOf } from "./note.ts";

type Behaviour = "ok" | "hang" | "throw" | DeliveryFailure;

/** An outlet that does what it is told and remembers what it was asked. */
function createOutlet(name: string, first: Behaviour = "ok") {
  const asked: string[] = [];
  const held: ((delivery: Delivery) => void)[] = [];
  const signals: AbortSignal[] = [];
  const notes: Note[] = [];
  let now = first;
  const outlet: Outlet = {
    name,
    send(note, signal) {
      asked.push(`send ${note.key}`);
      notes.push(note);
      signals.push(signal);
      if (now === "ok") return Promise.resolve({ ok: true, outlet: name, certainty: "accepted" });
      if (now === "hang") return new Promise((resolve) => held.push(resolve));
      if (now === "throw") throw new Error("no such thing");
      return Promise.resolve({ ok: false, outlet: name, reason: now });
    },
    async withdraw(key) {
      asked.push(`withdraw ${key}`);
      return now === "ok";
    },
    async replaces(key) {
      asked.push(`replaces ${key}`);
      return now === "ok";
    },
  };
  return {
    outlet,
    asked,
    notes,
    signals,
    becomes(next: Behaviour) {
      now = next;
    },
    answers: (delivery: Delivery) => held.shift()?.(delivery),
  };
}

function arrange(...stations: ReturnType<typeof createOutlet>[]) {
  const clock = createHandCrankedClock();
  const lines: string[] = [];
  const channel = createChannel({
    name: "banner",
    outlets: stations.map(({ outlet }) => outlet),
    deadlineMs: 5_000,
    clock,
    log: (line) => lines.push(line),
  });
  return { clock, lines, channel };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const minute = 60_000;

describe("a channel", () => {
  test("uses the first outlet and leaves the others alone", async () => {
    const [a, b] = [createOutlet("a"), createOutlet("b")];
    const { channel, clock } = arrange(a, b);
    expect(await channel.send(noteOf())).toEqual({ ok: true, outlet: "a", certainty: "accepted" });
    expect(b.asked).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });

  test("tries the next outlet when one fails, and says so once in the log", async () => {
    const [a, b] = [createOutlet("a", "unavailable"), createOutlet("b")];
    const { channel, lines } = arrange(a, b);
    expect(await channel.send(noteOf())).toMatchObject({ ok: true, outlet: "b" });
    await channel.send(noteOf());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("banner: a unavailable");
  });

  test("takes an outlet that throws for one that met a bug of ours", async () => {
    const { channel } = arrange(createOutlet("a", "throw"));
    expect(await channel.send(noteOf())).toMatchObject({ ok: false, outlet: "a", reason: "internal" });
  });

  test("gives up on an outlet at the deadline, aborts it, and tries the next", async () => {
    const [a, b] = [createOutlet("a", "hang"), createOutlet("b")];
    const { channel, clock } = arrange(a, b);
    const sent = channel.send(noteOf());
    await settled();
    clock.advance(4_999);
    expect(a.signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect(a.signals[0]?.aborted).toBe(true);
    expect(await sent).toMatchObject({ ok: true, outlet: "b" });
  });

  test("ignores what an outlet answers after its deadline", async () => {
    const a = createOutlet("a", "hang");
    const { channel, clock } = arrange(a);
    const sent = channel.send(noteOf());
    await settled();
    clock.advance(5_000);
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    expect(await sent).toMatchObject({ ok: false, reason: "timeout" });
  });

  test("stops at a final failure: the other ways lead to the same daemon", async () => {
    const b = createOutlet("b");
    const failed: Delivery = { ok: false, outlet: "a", reason: "timeout", final: true };
    const { channel } = arrange({ ...createOutlet("a"), outlet: { name: "a", send: async () => failed } }, b);
    expect(await channel.send(noteOf())).toMatchObject({ ok: false, reason: "timeout" });
    expect(b.asked).toEqual([]);
  });

  test("passes over an outlet that is not for this note, without blaming it", async () => {
    const [a, b] = [createOutlet("a"), createOutlet("b")];
    const { channel, lines } = arrange({ ...a, outlet: { ...a.outlet, takes: (note) => note.voice === undefined } }, b);
    expect(await channel.send(noteOf({ voice: "Anna" }))).toMatchObject({ ok: true, outlet: "b" });
    expect(await channel.send(noteOf())).toMatchObject({ ok: true, outlet: "a" });
    expect(lines).toEqual([]);
  });

  test("is unavailable when it has no outlet at all", async () => {
    const { channel, lines } = arrange();
    expect(await channel.send(noteOf())).toMatchObject({ ok: false, outlet: "banner", reason: "unavailable" });
    expect(lines).toEqual([]);
  });

  test.each<[DeliveryFailure, DeliveryFailure, DeliveryFailure]>([
    ["unavailable", "unavailable", "unavailable"],
    ["unavailable", "refused", "refused"],
    ["timeout", "unavailable", "timeout"],
    ["timeout", "lost", "lost"],
    ["lost", "refused", "refused"],
  ])("reports %s and %s as %s", async (first, second, reason) => {
    const { channel } = arrange(createOutlet("a", first), createOutlet("b", second));
    expect(await channel.send(noteOf())).toMatchObject({ ok: false, reason });
  });

  test("hands every outlet clean text, whoever wrote it", async () => {
    const a = createOutlet("a");
    const { channel } = arrange(a);
    await channel.send(
      noteOf({
        title: "a\u0007b\nc",
        body: "x\u0000y\n\nz",
        spoken: "l\nm",
        actions: [{ key: "k", label: "L\u001b" }],
      }),
    );
    expect(a.notes[0]).toMatchObject({
      title: "ab c",
      body: "xy\nz",
      spoken: "l m",
      actions: [{ key: "k", label: "L" }],
    });
    await channel.send(noteOf({ title: "\u200b", away: { title: "\n", body: "b\u0007" } }));
    expect(a.notes[1]).toMatchObject({ title: "opencode", away: { title: "opencode", body: "b" } });
  });
});

describe("an outlet that failed", () => {
  test("rests for a minute, then two, up to fifteen", async () => {
    const [a, b] = [createOutlet("a", "refused"), createOutlet("b")];
    const { channel, clock } = arrange(a, b);
    await channel.send(noteOf());
    for (const rest of [1, 2, 4, 8, 15, 15]) {
      clock.advance(rest * minute - 1);
      const before = a.asked.length;
      await channel.send(noteOf());
      expect(a.asked).toHaveLength(before);
      clock.advance(1);
      await channel.send(noteOf());
      expect(a.asked.length).toBeGreaterThan(before);
    }
  });

  test("leads again as if nothing had been once it has worked", async () => {
    const [a, b] = [createOutlet("a", "refused"), createOutlet("b")];
    const { channel, clock } = arrange(a, b);
    await channel.send(noteOf());
    clock.advance(minute);
    a.becomes("ok");
    expect(await channel.send(noteOf())).toMatchObject({ outlet: "a" });
    a.becomes("refused");
    await channel.send(noteOf());
    clock.advance(minute);
    a.becomes("ok");
    expect(await channel.send(noteOf())).toMatchObject({ outlet: "a" });
  });

  test("is tried as the last resort while it rests, so that a daemon that came back is used at once", async () => {
    const a = createOutlet("a", "unavailable");
    const { channel } = arrange(a);
    expect(await channel.send(noteOf())).toMatchObject({ ok: false });
    a.becomes("ok");
    expect(await channel.send(noteOf())).toMatchObject({ ok: true, outlet: "a" });
  });

  test("does not lengthen its rest by failing as the last resort", async () => {
    const a = createOutlet("a", "unavailable");
    const { channel, clock } = arrange(a, createOutlet("b", "unavailable"));
    for (let sent = 0; sent < 5; sent++) await channel.send(noteOf());
    clock.advance(minute);
    expect(a.asked).toHaveLength(5);
    a.becomes("ok");
    expect(await channel.send(noteOf())).toMatchObject({ outlet: "a" });
  });

  test("really rests when it hung: nobody waits for its deadline again", async () => {
    const a = createOutlet("a", "hang");
    const { channel, clock } = arrange(a);
    const first = channel.send(noteOf());
    await settled();
    clock.advance(5_000);
    await first;
    expect(await channel.send(noteOf())).toMatchObject({ ok: false, outlet: "a", reason: "timeout", detail: "rests" });
    expect(a.asked).toHaveLength(1);
    clock.advance(minute);
    a.becomes("ok");
    expect(await channel.send(noteOf())).toMatchObject({ ok: true });
  });

  test("that hung is asked again at once when it answers after all, however that answer is", async () => {
    const answers: Delivery[] = [
      { ok: true, outlet: "a", certainty: "accepted" },
      { ok: false, outlet: "a", reason: "dropped" },
      { ok: false, outlet: "a", reason: "lost" },
    ];
    for (const answer of answers) {
      const held: ((delivery: Delivery) => void)[] = [];
      const later = new Promise<Delivery>((resolve) => held.push(resolve));
      const hung: Delivery = { ok: false, outlet: "a", reason: "timeout", later };
      const a = createOutlet("a");
      let isHung = true;
      const send: Outlet["send"] = async (note, signal) => (isHung ? hung : a.outlet.send(note, signal));
      const { channel } = arrange({ ...a, outlet: { ...a.outlet, send } });
      await channel.send(noteOf());
      isHung = false;
      expect(await channel.send(noteOf())).toMatchObject({ ok: false, detail: "rests" });
      held[0]?.(answer);
      await settled();
      expect(await channel.send(noteOf())).toMatchObject({ ok: true });
    }
  });

  test("is logged once for each reason, however often it fails", async () => {
    const a = createOutlet("a", "refused");
    const { channel, clock, lines } = arrange(a);
    for (const behaviour of ["refused", "refused", "lost", "refused", "lost"] as const) {
      a.becomes(behaviour);
      await channel.send(noteOf());
      clock.advance(15 * minute);
    }
    expect(lines).toHaveLength(2);
  });
});

describe("taking back", () => {
  test("goes to the outlet that has the note, and only to it, and says whether something went", async () => {
    const [a, b] = [createOutlet("a"), createOutlet("b")];
    const { channel } = arrange(a, b);
    await channel.send(noteOf({ key: "k" }));
    expect(await channel.withdraw("k")).toBe(true);
    expect(await channel.withdraw("other")).toBe(false);
    expect(await channel.withdraw("k")).toBe(false);
    expect(a.asked).toEqual(["send k", "withdraw k"]);
    expect(b.asked).toEqual([]);
  });

  test("asked for while the note is on its way happens as soon as it has arrived", async () => {
    const a = createOutlet("a", "hang");
    const { channel } = arrange(a);
    const sent = channel.send(noteOf({ key: "k" }));
    await settled();
    const withdrawn = channel.withdraw("k");
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    expect(await sent).toMatchObject({ ok: true });
    await withdrawn;
    expect(a.asked.at(-1)).toBe("withdraw k");
  });

  test("asked for while an outlet fails keeps the next one from showing it", async () => {
    const [a, b] = [createOutlet("a", "hang"), createOutlet("b")];
    const { channel } = arrange(a, b);
    const sent = channel.send(noteOf({ key: "k" }));
    await settled();
    const withdrawn = channel.withdraw("k");
    a.answers({ ok: false, outlet: "a", reason: "unavailable" });
    expect(await sent).toMatchObject({ ok: false, reason: "dropped" });
    await withdrawn;
    expect(b.asked).toEqual([]);
  });

  test("drops what waits for its turn, and leaves alone what was sent later or is about something else", async () => {
    const a = createOutlet("a", "hang");
    const { channel } = arrange(a);
    const first = channel.send(noteOf({ key: "k", title: "1" }));
    const second = channel.send(noteOf({ key: "k", title: "2" }));
    const other = channel.send(noteOf({ key: "o", title: "other" }));
    await settled();
    const withdrawn = channel.withdraw("k");
    const third = channel.send(noteOf({ key: "k", title: "3" }));
    a.becomes("ok");
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    expect(await first).toMatchObject({ ok: true, recalled: true });
    expect(await second).toMatchObject({ ok: false, reason: "dropped" });
    expect(await other).toEqual({ ok: true, outlet: "a", certainty: "accepted" });
    await withdrawn;
    expect(await third).toEqual({ ok: true, outlet: "a", certainty: "accepted" });
    expect(a.notes.map(({ title }) => title)).toEqual(["1", "other", "3"]);
  });

  test("is over before a later note of that key leaves, so that it cannot take that along", async () => {
    const gone: (() => void)[] = [];
    const slow: Outlet = {
      ...createOutlet("a").outlet,
      withdraw: () => new Promise((resolve) => gone.push(() => resolve(true))),
    };
    const a = createOutlet("a");
    const { channel } = arrange({ ...a, outlet: { ...slow, send: a.outlet.send } });
    await channel.send(noteOf({ key: "k" }));
    const withdrawn = channel.withdraw("k");
    const later = channel.send(noteOf({ key: "k" }));
    await settled();
    expect(a.asked).toEqual(["send k"]);
    gone[0]?.();
    expect(await withdrawn).toBe(true);
    expect(await later).toMatchObject({ ok: true });
    expect(a.asked).toEqual(["send k", "send k"]);
  });

  test("does not touch a note of the same key that was sent later", async () => {
    const a = createOutlet("a", "hang");
    const { channel } = arrange(a);
    const first = channel.send(noteOf({ key: "k" }));
    await settled();
    const withdrawn = channel.withdraw("k");
    const second = channel.send(noteOf({ key: "k" }));
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    await Promise.all([first, withdrawn]);
    await settled();
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    await second;
    expect(a.asked.slice(-2)).toEqual(["withdraw k", "send k"]);
  });

  test("reaches a note that was shown after its deadline", async () => {
    const a = createOutlet("a", "hang");
    const { channel, clock } = arrange(a);
    const sent = channel.send(noteOf({ key: "k" }));
    await settled();
    clock.advance(5_000);
    await sent;
    await channel.withdraw("k");
    expect(a.asked.at(-1)).toBe("withdraw k");
  });

  test("happens by itself where another outlet shows the newer note of that key", async () => {
    const [a, b] = [createOutlet("a"), createOutlet("b")];
    const { channel } = arrange(a, b);
    await channel.send(noteOf({ key: "k" }));
    a.becomes("refused");
    await channel.send(noteOf({ key: "k" }));
    expect(a.asked).toEqual(["send k", "send k", "withdraw k"]);
    await channel.withdraw("k");
    expect(b.asked).toEqual(["send k", "withdraw k"]);
  });

  test("never throws, even when the outlet does", async () => {
    const broken: Outlet = {
      name: "a",
      send: async () => ({ ok: true, outlet: "a", certainty: "accepted" }),
      withdraw: () => Promise.reject(new Error("no")),
    };
    const { channel } = arrange({ ...createOutlet("a"), outlet: broken });
    await channel.send(noteOf());
    expect(await channel.withdraw("ses_S")).toBe(false);
  });
});

describe("changing what is up", () => {
  test("replaces it where it is, and nowhere else", async () => {
    const [a, b] = [createOutlet("a", "refused"), createOutlet("b")];
    const { channel } = arrange(a, b);
    await channel.send(noteOf({ key: "k" }));
    expect(await channel.update(noteOf({ key: "k", body: "two" }))).toBe(true);
    expect(b.notes.map(({ body }) => body)).toEqual(["Waiting for you", "two"]);
    expect(a.notes).toHaveLength(1);
  });

  test("shows nothing anew: not what was never up, what went, or what cannot be replaced", async () => {
    const a = createOutlet("a");
    const plain: Outlet = { name: "osascript", send: (...given) => a.outlet.send(...given) };
    const { channel } = arrange({ ...a, outlet: plain });
    expect(await channel.update(noteOf({ key: "k" }))).toBe(false);
    await channel.send(noteOf({ key: "k" }));
    expect(await channel.update(noteOf({ key: "k" }))).toBe(false);
    expect(a.notes).toHaveLength(1);
  });

  test("waits for what is on its way", async () => {
    const a = createOutlet("a", "hang");
    const { channel } = arrange(a);
    const sent = channel.send(noteOf({ key: "k" }));
    const changed = channel.update(noteOf({ key: "k", body: "two" }));
    await settled();
    a.becomes("ok");
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    expect(await sent).toMatchObject({ ok: true });
    expect(await changed).toBe(true);
    expect(a.notes.map(({ body }) => body)).toEqual(["Waiting for you", "two"]);
  });
});

describe("order", () => {
  test("two notes of one key go one after the other, of two keys at once", async () => {
    const a = createOutlet("a", "hang");
    const { channel } = arrange(a);
    const sent = ["k", "k", "l"].map((key) => channel.send(noteOf({ key })));
    await settled();
    expect(a.asked).toEqual(["send k", "send l"]);
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    await settled();
    expect(a.asked).toEqual(["send k", "send l", "send k"]);
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    a.answers({ ok: true, outlet: "a", certainty: "accepted" });
    expect(await Promise.all(sent)).toHaveLength(3);
  });
});

describe("closing", () => {
  test("settles what is on its way, aborts it, and sends nothing afterwards", async () => {
    const a = createOutlet("a", "hang");
    const { channel, clock, lines } = arrange(a);
    const sent = channel.send(noteOf());
    await settled();
    await channel.close();
    await channel.close();
    expect(await sent).toMatchObject({ ok: false, reason: "lost" });
    expect(a.signals[0]?.aborted).toBe(true);
    expect(await channel.send(noteOf({ key: "later" }))).toMatchObject({ ok: false });
    expect(a.asked).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
    expect(lines).toEqual([]);
  });
});
