import { describe, expect, test } from "vitest";
import { peers } from "../../../../src/server/cli/import/import-command.ts";
import { checkConfig } from "../../../../src/server/config/parse.ts";
import { createBench } from "../command-bench.ts";

const notifier = (document: object) => peers["opencode-notifier"].read({ ...document });
const notify = (document: object) => peers["opencode-notify"].read({ ...document });
const voice = (document: object) => peers["smart-voice-notify"].read({ ...document });

describe("settings of opencode-notifier", () => {
  test.each([
    [{}, { alerts: { sound: true } }],
    [{ sound: false }, {}],
    [
      { sound: false, notification: false },
      { alerts: { pause: { mode: "none" }, done: { mode: "none" }, error: { mode: "none" } } },
    ],
    [{ sound: false, events: { complete: false } }, { alerts: { done: { mode: "none" } } }],
    [{ sound: false, events: { error: { notification: false } } }, { alerts: { error: { mode: "none" } } }],
    [{ sound: false, events: { permission: false, question: true } }, {}],
    [{ sound: false, suppressWhenFocused: false }, { alerts: { focus: { suppress: "none" } } }],
    [{ sound: false, suppressWhenFocused: true }, { alerts: { focus: { suppress: "all" } } }],
    [{ sound: false, suppressWhenFocused: ["notification"] }, {}],
    [{ sound: false, minDuration: 9.6 }, { alerts: { done: { minSeconds: 10 } } }],
    [{ sounds: { complete: "/a.wav", error: null } }, { alerts: { sound: "/a.wav" } }],
  ])("%o becomes %o", (theirs, patch) => {
    expect(notifier(theirs).patch).toEqual(patch);
  });

  test("what has no counterpart is named with its reason, unknown keys too", () => {
    const { without } = notifier({
      sound: false,
      messages: {},
      volumes: {},
      future: 1,
      events: { subagent_complete: true },
    });
    expect(without).toEqual([
      "events.subagent_complete: a subagent's end is its parent's business; alerts.done.delegated is the nearest",
      "messages: the sentences are fixed; locale chooses their language, alerts.detail how much they say",
      "volumes: your system's volume",
      "future: not a setting that is known here",
    ]);
  });
});

describe("settings of opencode-notify", () => {
  test.each([
    [{ enabled: true, notifyChildSessions: false }, {}],
    [{ enabled: false }, { alerts: { pause: { mode: "none" }, done: { mode: "none" }, error: { mode: "none" } } }],
    [{ suppressWhenFocused: false }, { alerts: { focus: { suppress: "none" } } }],
    [{ sounds: { idle: "Glass", permission: "Submarine" } }, { alerts: { sound: "Submarine" } }],
    [
      { quietHours: { enabled: true, start: "22:00", end: "08:00" } },
      { alerts: { quietHours: [{ from: "22:00", to: "08:00" }] } },
    ],
    [{ quietHours: { enabled: false, start: "22:00", end: "08:00" } }, {}],
    [{ quietHours: { enabled: true, start: "ten", end: "08:00" } }, {}],
  ])("%o becomes %o", (theirs, patch) => {
    expect(notify(theirs).patch).toEqual(patch);
  });
});

describe("settings of smart-voice-notify", () => {
  const quiet = { enableSound: false };
  const mode = (value: string) => ({ pause: { mode: value }, done: { mode: value }, error: { mode: value } });
  test.each([
    [{ ...quiet }, {}],
    [{ ...quiet, enabled: "disabled" }, { alerts: mode("none") }],
    [{ ...quiet, notificationMode: "both" }, { alerts: mode("both") }],
    [{ ...quiet, notificationMode: "tts-first", enableDesktopNotification: false }, { alerts: mode("voice") }],
    [{ ...quiet, notificationMode: "both", enableTTS: false }, {}],
    [{ ...quiet, enableErrorNotification: false }, { alerts: { error: { mode: "none" } } }],
    [{ ...quiet, alwaysNotify: true, suppressWhenFocused: true }, { alerts: { focus: { suppress: "none" } } }],
    [
      {
        ...quiet,
        enableTTSReminder: true,
        permissionReminderDelaySeconds: 20,
        enableFollowUpReminders: true,
        maxFollowUpReminders: 3,
      },
      { alerts: { reminder: { afterSeconds: 20, times: 4 } } },
    ],
    [{ idleSound: "assets/theirs.mp3" }, { alerts: { sound: true } }],
    [{ idleSound: "/home/ann/done.wav" }, { alerts: { sound: "/home/ann/done.wav" } }],
    [
      {
        ...quiet,
        enableWebhook: true,
        webhookUrl: "https://hooks.example.org/x",
        webhookEvents: ["idle", "permission"],
      },
      {
        alerts: {
          push: [{ type: "webhook", url: "https://hooks.example.org/x", events: ["done", "pause"], afterSeconds: 0 }],
        },
      },
    ],
    [{ ...quiet, enableWebhook: true, webhookUrl: "https://discord.com/api/webhooks/1/x" }, {}],
  ])("%o becomes %o", (theirs, patch) => {
    expect(voice(theirs).patch).toEqual(patch);
  });

  test("a key of a voice service is left behind and never printed with its value", () => {
    const { without } = voice({ enableSound: false, elevenLabsApiKey: "sk_secret", aiApiKey: "sk_other" });
    expect(without.join()).not.toContain("sk_");
    expect(without).toContain(
      "elevenLabsApiKey: voices are the system's own: say, spd-say, espeak-ng, Windows' speech",
    );
  });
});

test("an address is taken over and not printed", () => {
  const { taken } = voice({ enableSound: false, enableWebhook: true, webhookUrl: "https://h.example/secret" });
  expect(taken).toEqual(["webhookUrl, webhookEvents → alerts.push = the same address"]);
});

test("whatever is taken over is a valid configuration", () => {
  const everything = [
    notifier({ notification: false, suppressWhenFocused: true, minDuration: 100_000_000, sounds: { error: "/e.wav" } }),
    notify({ enabled: false, sounds: { idle: "Glass" }, quietHours: { enabled: true, start: "22:00", end: "08:00" } }),
    voice({
      enabled: false,
      enableTTSReminder: true,
      ttsReminderDelaySeconds: 1e9,
      enableFollowUpReminders: true,
      maxFollowUpReminders: 99,
      enableWebhook: true,
      webhookUrl: "https://h.example/x",
    }),
  ];
  for (const { patch } of everything) expect(checkConfig(patch).ok).toBe(true);
});

describe("beckon config import", () => {
  test("reads the other plugin's own file, writes ours and says what happened", async () => {
    using bench = createBench();
    bench.write(".config/opencode/opencode-notifier.json", '{ "sound": false, "minDuration": 20, "timeout": 5 }');
    const { code, out, complaints } = await bench.run(["config", "import", "opencode-notifier"]);
    expect(complaints).toBe("");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "From ~/.config/opencode/opencode-notifier.json

      Taken over:
        minDuration → alerts.done.minSeconds = 20

      Without a counterpart:
        timeout: your desktop decides how long a banner stays

      Saved: ~/.config/opencode-beckon/config.json. Now take the other plugin out of opencode's configuration.
      "
    `);
    expect((await bench.run(["config", "get", "alerts.done.minSeconds"])).out).toBe("20\n");
  });

  test("with --dry-run writes nothing", async () => {
    using bench = createBench();
    bench.write(".config/opencode/kdco-notify.json", '{ "enabled": false }');
    const before = bench.snapshot();
    const { out } = await bench.run(["config", "import", "opencode-notify", "--dry-run"]);
    expect(out).toContain("enabled: false → alerts.pause.mode = none");
    expect(bench.snapshot()).toEqual(before);
  });

  test("a file that is not there is a finding, one that is not JSON is malformed input", async () => {
    using bench = createBench();
    const missing = await bench.run(["config", "import", "smart-voice-notify"]);
    expect(missing).toMatchObject({
      code: 1,
      complaints: expect.stringContaining("no such file; nothing was imported"),
    });
    const from = bench.write("x.jsonc", "{ enabled: ");
    expect((await bench.run(["config", "import", "smart-voice-notify", "--from", from])).code).toBe(2);
  });
});
