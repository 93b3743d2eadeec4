import { describe, expect, test } from "vitest";
import type { AlertContent } from "../../../src/server/core/alert-words.ts";
import type { ChannelName } from "../../../src/server/core/decision.ts";
import type { Plan } from "../../../src/server/core/gate.ts";
import { notification } from "../../../src/server/core/notification.ts";
import type { Subject } from "../../../src/server/core/subject.ts";
import { english } from "../../../src/server/core/wording/en.ts";
import { deliver, type ShowDeps } from "../../../src/server/delivery/deliver.ts";
import { type Answer, createFakeChannels } from "../../fakes/channels.ts";
import { configWith } from "../../fakes/config.ts";

const subject: Subject = { sessionID: "S", rootID: "S", title: "Fix login", name: "Fix login", project: "app" };
const done: AlertContent = { kind: "done", workedMs: 12_000 };
const banner: Plan = { banner: true, voice: false, sound: false };

type Around = { file?: object; desktop?: boolean; ssh?: boolean };

function rig({ file = {}, desktop = true, ssh = false }: Around = {}) {
  const fakes = createFakeChannels();
  const words = { config: configWith(file), wording: english };
  const deps: ShowDeps = {
    channels: fakes.channels,
    terminal: words.config.alerts.terminal,
    hasDesktop: () => desktop,
    isBehindSsh: () => ssh,
  };
  return {
    ...fakes,
    words,
    showing: deps,
    tell: (plan: Plan = banner, alert: AlertContent = done) =>
      deliver(notification({ content: alert, subject, plan }, words), plan, deps),
    asked: () => fakes.sent.map(({ channel }) => channel),
  };
}
const answering = (answers: Partial<Record<ChannelName, Answer>>, options = {}) => {
  const made = rig(options);
  for (const name of made.names) made.behave(name, answers[name] ?? "ok");
  return made;
};

describe("a note", () => {
  const note = (alert: AlertContent, file = {}, more = {}) =>
    notification({ content: alert, subject, ...more }, rig({ file }).words);

  test("has one key a session, its title, and the sentence", () => {
    expect(note(done)).toMatchObject({
      key: "session.S",
      sessionID: "S",
      title: "Fix login",
      body: "Work finished · 12 s",
    });
  });

  test("is urgent when somebody is needed, and calm when work is done", () => {
    expect(note(done).urgency).toBe("normal");
    expect(note({ kind: "error", name: "APIError" }).urgency).toBe("critical");
    expect(note({ kind: "pause", requests: [] }).urgency).toBe("critical");
  });

  test("is spoken with its title first, and without signs", () => {
    expect(note(done)).toMatchObject({ spoken: "Fix login: Work finished, 12 s", language: "en" });
  });

  test("says no more than folder and kind to whoever is not on this machine", () => {
    expect(note(done).away).toEqual({ title: "app", body: "Work finished" });
  });

  test("has the voice and the sound the person chose, the sound only where one is wanted", () => {
    const file = { notifications: { voice: "Anna", sound: "Ping" }, alerts: { sound: true } };
    expect(note(done, file)).toMatchObject({ voice: "Anna" });
    expect(note(done, file)).not.toHaveProperty("sound");
    expect(note(done, file, { plan: { ...banner, sound: true } })).toMatchObject({ sound: "Ping" });
    const named = { ...file, alerts: { sound: "bell.oga" } };
    expect(note(done, named, { plan: { ...banner, sound: true } })).toMatchObject({ sound: "bell.oga" });
  });

  test("of a reminder says that it still waits", () => {
    const pause: AlertContent = { kind: "pause", requests: [{ requestID: "p", about: "permission", count: 1 }] };
    expect(note(pause, {}, { overdue: true }).body).toBe("Still waiting · A permission waits for you");
  });
});

describe("channels", () => {
  test("a banner that was taken is enough", async () => {
    const { tell, asked } = rig();
    expect(await tell()).toEqual({ title: "Fix login", message: "Work finished · 12 s", channels: ["banner"] });
    expect(asked()).toEqual(["banner"]);
  });

  test("voice comes beside the banner, not after it", async () => {
    const { tell, asked } = answering({ banner: "ok" });
    expect((await tell({ banner: true, voice: true, sound: false })).channels).toEqual(["banner", "voice"]);
    expect(asked()).toContain("voice");
  });

  test("a terminal stands in for a banner nobody could show", async () => {
    const { tell } = answering({ banner: "unavailable" });
    expect((await tell()).channels).toEqual(["terminal"]);
  });

  test("a terminal never stands in where the person does not want it", async () => {
    const { tell, asked } = answering({ banner: "unavailable" }, { file: { alerts: { terminal: "never" } } });
    expect(await tell()).toMatchObject({ channels: [], failure: "no-channel" });
    expect(asked()).toEqual(["banner"]);
  });

  test("a terminal comes beside the banner where the person wants it always", async () => {
    const { tell } = rig({ file: { alerts: { terminal: "always" } } });
    expect((await tell()).channels).toEqual(["banner", "terminal"]);
  });

  test("on a machine without a desktop the terminal is asked first, the banner when there is none", async () => {
    const far = rig({ desktop: false });
    expect((await far.tell()).channels).toEqual(["terminal"]);
    expect(far.asked()).toEqual(["terminal"]);
    const alone = answering({ terminal: "unavailable" }, { desktop: false });
    expect((await alone.tell()).channels).toEqual(["banner"]);
  });

  test("somebody last seen at the far end of an ssh connection is told there and here", async () => {
    const far = rig({ ssh: true });
    expect((await far.tell()).channels).toEqual(["banner", "terminal"]);
    const alone = rig({ ssh: true, desktop: false });
    expect((await alone.tell()).channels).toEqual(["terminal"]);
    expect(alone.asked()).toEqual(["terminal"]);
    const unwanted = rig({ ssh: true, file: { alerts: { terminal: "never" } } });
    expect((await unwanted.tell()).channels).toEqual(["banner"]);
    expect(unwanted.asked()).toEqual(["banner"]);
  });

  test("without a desktop and without terminals wanted, the banner is tried alone", async () => {
    const { tell, asked } = rig({ desktop: false, file: { alerts: { terminal: "never" } } });
    expect((await tell()).channels).toEqual(["banner"]);
    expect(asked()).toEqual(["banner"]);
  });

  test("a banner that was taken back on its way is raised by no terminal", async () => {
    for (const alerts of [{}, { terminal: "always" }])
      for (const banner of ["dropped", "recalled"] as const) {
        const { tell, asked } = answering({ banner }, { file: { alerts } });
        await tell();
        expect(asked()).toEqual(["banner"]);
      }
    const far = answering({ terminal: "dropped" }, { desktop: false });
    expect(await far.tell()).toMatchObject({ channels: [], failure: "dropped" });
    expect(far.asked()).toEqual(["terminal"]);
  });

  test("no sound follows what was taken back while it was shown or spoken", async () => {
    const plan = { banner: true, voice: true, sound: true };
    for (const answers of [{ voice: "recalled" }, { voice: "dropped" }, { banner: "recalled" }] as const) {
      const { tell, asked } = answering(answers);
      await tell(plan);
      expect(asked()).not.toContain("sound");
    }
  });

  test("voice alone asks no banner and no terminal", async () => {
    const { tell, asked } = rig();
    expect((await tell({ banner: false, voice: true, sound: false })).channels).toEqual(["voice"]);
    expect(asked()).toEqual(["voice"]);
  });

  test("a sound goes with a banner that was shown, and with no other", async () => {
    const plan = { banner: true, voice: false, sound: true };
    expect((await rig().tell(plan)).channels).toEqual(["banner", "sound"]);
    const instead = answering({ banner: "unavailable" });
    expect((await instead.tell(plan)).channels).toEqual(["terminal"]);
    expect(instead.asked()).not.toContain("sound");
  });

  test("a banner that plays its own sound is not accompanied", async () => {
    const made = rig();
    const channels = { ...made.channels, banner: { ...made.channels.banner, playsSound: true } };
    const plan = { banner: true, voice: false, sound: true };
    const note = notification({ content: done, subject, plan }, made.words);
    expect((await deliver(note, plan, { ...made.showing, channels })).channels).toEqual(["banner"]);
  });
});

describe("when nothing works", () => {
  test("a machine that has nothing is told from one whose programs fail", async () => {
    const bare = answering({ banner: "unavailable", terminal: "unavailable" });
    expect(await bare.tell()).toMatchObject({ channels: [], failure: "no-channel" });
    const broken = answering({ banner: "refused", terminal: "unavailable" });
    expect(await broken.tell()).toMatchObject({ channels: [], failure: "channel-error" });
  });

  test("one channel that works makes it delivered", async () => {
    const half = answering({ banner: "refused", terminal: "refused", voice: "ok" });
    expect(await half.tell({ banner: true, voice: true, sound: false })).toEqual({
      title: "Fix login",
      message: "Work finished · 12 s",
      channels: ["voice"],
    });
  });

  test("channels that are not there at all are no channel", async () => {
    const { showing, words } = rig();
    const note = notification({ content: done, subject }, words);
    expect(await deliver(note, { banner: true, voice: true, sound: true }, { ...showing, channels: {} })).toMatchObject(
      {
        failure: "no-channel",
      },
    );
  });
});
