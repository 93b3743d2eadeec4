import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Note } from "../../../src/server/delivery/channel.ts";
import { channelDeadlinesMs } from "../../../src/server/delivery/channel-deadlines.ts";
import { createChannel } from "../../../src/server/delivery/create-channel.ts";
import { deliver } from "../../../src/server/delivery/deliver.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { silentLog } from "../../../src/shared/log.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { createFakeChannels } from "../../fakes/channels.ts";
import { configWith } from "../../fakes/config.ts";
import { startTerminals } from "../../rig/attached-terminals.ts";
import { waitFor, waitUntil } from "../../rig/host/wait-for.ts";
import { noteOf } from "./note.ts";

const kitty = { TERM: "xterm-kitty" };
const ghostty = { TERM_PROGRAM: "ghostty" };
const iTerm = { TERM_PROGRAM: "iTerm.app" };

const oneLine = (text: string) => text.replaceAll("\n", " ");
const withoutSemicolon = (text: string) => oneLine(text).replaceAll(";", ",");
/** An OSC 9 that begins with a digit would be a command. */
const inOneText = ({ title, body }: Note) => {
  const text = body === "" ? title : `${title}: ${oneLine(body)}`;
  return /^\p{L}/u.test(text) ? text : `opencode: ${text}`;
};

const kinds = [
  { by: "OSC 99", env: kitty, takesBack: "also the next one", texts: ({ title, body }: Note) => [title, body] },
  {
    by: "OSC 777",
    env: ghostty,
    takesBack: "never",
    texts: ({ title, body }: Note) => [withoutSemicolon(title), withoutSemicolon(body)],
  },
  { by: "OSC 9", env: iTerm, takesBack: "never", texts: (note: Note) => ["", inOneText(note)] },
] as const;

for (const { by, env, takesBack, texts } of kinds) {
  outletContract({
    name: `a terminal that knows ${by}, over the relay`,
    takesBack,
    texts,
    async works() {
      const terminals = startTerminals();
      const terminal = await terminals.attach("T1", { env });
      const shown = () => terminal.shown().map(({ title, body }) => [title, body]);
      return {
        outlet: terminals.outlet(),
        next: terminals.outlet,
        received: (count) => waitFor(`${count} alerts`, () => (shown().length >= count ? shown() : undefined)),
        close: terminals.close,
      };
    },
    fails: {
      async unavailable() {
        const terminals = startTerminals();
        (await terminals.attach("T1", { env })).suspended = true;
        return { outlet: terminals.outlet(), close: terminals.close };
      },
    },
  });
}

const never = new AbortController().signal;
const showing = (sessionID: string) => ({ env: kitty, view: { type: "session" as const, sessionID } });

describe("terminals at one relay", () => {
  let terminals: ReturnType<typeof startTerminals>;
  beforeEach(() => {
    terminals = startTerminals();
  });
  afterEach(() => terminals.close());

  const ends = (...all: { shown(): { end: string }[] }[]) => all.map(({ shown }) => shown().map(({ end }) => end));
  const become = (wanted: string[][], ...all: Parameters<typeof ends>) =>
    waitUntil(
      () => `${JSON.stringify(wanted)}; there is ${JSON.stringify(ends(...all))}`,
      () => JSON.stringify(ends(...all)) === JSON.stringify(wanted),
    );

  test("the one that shows the session raises it, whoever was used last, and the others stay quiet", async () => {
    const [shows, used] = [
      await terminals.attach("T1", showing("ses_S")),
      await terminals.attach("T2", { env: kitty }),
    ];
    await used.used();
    expect(await terminals.outlet().send(noteOf(), never)).toMatchObject({ ok: true, certainty: "written" });
    expect(ends(shows, used)).toEqual([["up"], []]);
  });

  test("where none shows it, the one that was used last raises it", async () => {
    const [first, second] = [
      await terminals.attach("T1", { env: kitty }),
      await terminals.attach("T2", { env: kitty }),
    ];
    await first.used();
    await terminals.outlet().send(noteOf(), never);
    expect(ends(first, second)).toEqual([["up"], []]);
  });

  test("where there is none, nothing is raised and that is said", async () => {
    expect(await terminals.outlet().send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
  });

  test("while another program has its screen nothing is written there, and the next one is asked", async () => {
    const [shows, other] = [
      await terminals.attach("T1", showing("ses_S")),
      await terminals.attach("T2", { env: kitty }),
    ];
    shows.suspended = true;
    const outlet = terminals.outlet();
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: true });
    expect(ends(shows, other)).toEqual([[], ["up"]]);
    shows.suspended = false;
    await outlet.withdraw?.("ses_S");
    await become([[], ["taken back"]], shows, other);
  });

  test("one that does not answer is called off, and the next one raises it", async () => {
    const [shows, other] = [
      await terminals.attach("T1", showing("ses_S")),
      await terminals.attach("T2", { env: kitty }),
    ];
    shows.silent = true;
    expect(await terminals.outlet().send(noteOf(), never)).toMatchObject({ ok: true });
    expect(ends(shows, other)).toEqual([[], ["up"]]);
  });

  test("an alert that is answered while a silent one is waited for is raised nowhere", async () => {
    const [shows, other] = [
      await terminals.attach("T1", showing("ses_S")),
      await terminals.attach("T2", { env: kitty }),
    ];
    shows.silent = true;
    const outlet = terminals.outlet();
    const sent = outlet.send(noteOf(), never);
    await outlet.withdraw?.("ses_S");
    expect(await sent).toMatchObject({ ok: false, reason: "dropped" });
    expect(ends(shows, other)).toEqual([[], []]);
  });

  test("the newest state of a session is up once, also when the person has gone to another terminal", async () => {
    const [first, second] = [
      await terminals.attach("T1", { env: kitty }),
      await terminals.attach("T2", { env: kitty }),
    ];
    const outlet = terminals.outlet();
    await first.used();
    await outlet.send(noteOf({ body: "Waiting for you" }), never);
    await outlet.send(noteOf({ body: "Still waiting" }), never);
    await become([["replaced", "up"], []], first, second);
    expect(await outlet.replaces?.("ses_S")).toBe(true);
    await second.used();
    await outlet.send(noteOf({ body: "Work finished" }), never);
    await become([["replaced", "taken back"], ["up"]], first, second);
    expect(await outlet.withdraw?.("ses_S")).toBe(true);
    await become([["replaced", "taken back"], ["taken back"]], first, second);
  });

  test.each([
    { terminal: "auto", desktop: true, banners: 1, raised: 0 },
    { terminal: "auto", desktop: false, banners: 0, raised: 1 },
    { terminal: "always", desktop: true, banners: 1, raised: 1 },
    { terminal: "always", desktop: false, banners: 1, raised: 1 },
    { terminal: "never", desktop: true, banners: 1, raised: 0 },
    { terminal: "never", desktop: false, banners: 1, raised: 0 },
  ])("alerts.terminal $terminal with a desktop: $desktop", async ({ terminal, desktop, banners, raised }) => {
    const attached = await terminals.attach("T1", showing("ses_S"));
    const { channels, sent } = createFakeChannels();
    const outlets = [terminals.outlet()];
    const own = { name: "terminal", outlets, deadlineMs: channelDeadlinesMs.terminal } as const;
    const deps = {
      channels: { ...channels, terminal: createChannel({ ...own, clock: systemClock, log: silentLog }) },
      terminal: configWith({ alerts: { terminal } }).alerts.terminal,
      hasDesktop: () => desktop,
    };
    await deliver(noteOf(), { banner: true, voice: false, sound: false }, deps);
    expect(sent.map(({ channel }) => channel)).toEqual(Array(banners).fill("banner"));
    expect(attached.shown()).toHaveLength(raised);
  });
});
