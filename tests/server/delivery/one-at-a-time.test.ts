import { describe, expect, test } from "vitest";
import type { Channel, Delivery } from "../../../src/server/delivery/channel.ts";
import { oneAtATime } from "../../../src/server/delivery/one-at-a-time.ts";
import { noteOf } from "./note.ts";

/** A channel that speaks until it is told that it has spoken, or is withdrawn. */
function createMouth() {
  const said: string[] = [];
  const events: string[] = [];
  let finish = (_delivery: Delivery) => {};
  const channel: Channel = {
    name: "voice",
    send: (note) =>
      new Promise((resolve) => {
        said.push(`${note.key} ${note.spoken}`);
        finish = resolve;
      }),
    async withdraw(key) {
      events.push(`withdraw ${key}`);
      finish({ ok: true, outlet: "say", certainty: "started" });
      return false;
    },
    update: async () => false,
    up: () => [],
    async close() {
      events.push("close");
      finish({ ok: false, outlet: "say", reason: "lost" });
    },
  };
  const spoken = async () => {
    finish({ ok: true, outlet: "say", certainty: "started" });
    await settled();
  };
  return { channel, said, events, spoken };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const dropped = { ok: false, outlet: "voice", reason: "dropped" };

function arrange(mostWaiting = 3) {
  const mouth = createMouth();
  const voice = oneAtATime(mouth.channel, mostWaiting);
  const say = (key: string, spoken = key) => voice.send(noteOf({ key, spoken }));
  return { ...mouth, voice, say };
}

describe("one utterance at a time", () => {
  test("two sessions that finish together speak one after the other", async () => {
    const { say, said, spoken } = arrange();
    const both = [say("S"), say("R")];
    expect(said).toEqual(["S S"]);
    await spoken();
    expect(said).toEqual(["S S", "R R"]);
    await spoken();
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test("of one session only the newest waits", async () => {
    const { say, said, spoken } = arrange();
    void say("S", "now");
    const older = say("R", "older");
    void say("R", "newer");
    expect(await older).toEqual(dropped);
    await spoken();
    expect(said).toEqual(["S now", "R newer"]);
  });

  test("at most three wait: the oldest gives way", async () => {
    const { say, said, spoken } = arrange();
    void say("now");
    const [first] = ["a", "b", "c", "d"].map((key) => say(key));
    expect(await first).toEqual(dropped);
    for (let times = 0; times < 4; times++) await spoken();
    expect(said).toEqual(["now now", "b b", "c c", "d d"]);
  });

  test("what is no longer true is not said", async () => {
    const { say, said, spoken, voice } = arrange();
    void say("now");
    const stale = say("S");
    await voice.withdraw("S");
    expect(await stale).toEqual(dropped);
    await spoken();
    expect(said).toEqual(["now now"]);
  });

  test("what is being said and no longer true is cut, and the next one speaks", async () => {
    const { say, said, events, voice } = arrange();
    const cut = say("S");
    void say("R");
    await voice.withdraw("S");
    expect(await cut).toMatchObject({ ok: true });
    await settled();
    expect(events).toEqual(["withdraw S"]);
    expect(said).toEqual(["S S", "R R"]);
  });

  test("a sound queue holds one: the newest wins", async () => {
    const { say, said, spoken } = arrange(1);
    void say("now");
    const middle = say("middle");
    void say("newest");
    expect(await middle).toEqual(dropped);
    await spoken();
    expect(said).toEqual(["now now", "newest newest"]);
  });

  test("closing drops what waits, and cuts what is being heard: that was no failure of it", async () => {
    const { say, voice, events } = arrange();
    const now = say("now");
    const later = say("later");
    await voice.close();
    expect(await later).toEqual(dropped);
    expect(await now).toMatchObject({ ok: true, certainty: "started" });
    expect(events).toEqual(["withdraw now", "close"]);
  });

  test("closing when all was said cuts nothing", async () => {
    const { say, voice, events, spoken } = arrange();
    const now = say("now");
    await spoken();
    await now;
    await voice.close();
    expect(events).toEqual(["close"]);
  });
});
