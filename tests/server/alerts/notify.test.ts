import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/server/alerts/decision.ts";
import { type NotifyRequest, notify } from "../../../src/server/alerts/notify.ts";
import { createGuard } from "../../../src/shared/guard.ts";
import { silentLog } from "../../../src/shared/log.ts";
import { type Answer, createFakeChannels } from "../../fakes/channels.ts";
import { configWith } from "../../fakes/config.ts";

const request: NotifyRequest = {
  sessionID: "S",
  mode: "both",
  title: "Fix login",
  message: "The migration ran",
  spoken: "Fix login: the migration ran",
};

type RigOptions = { answer?: Answer; platform?: string; desktop?: boolean };

function rig({ answer = "ok", platform = "linux", desktop = true }: RigOptions = {}) {
  const fakes = createFakeChannels();
  for (const name of fakes.names) fakes.behave(name, answer);
  const decided: Decision[] = [];
  const deps = {
    channels: fakes.channels,
    config: () => configWith(),
    hasDesktop: () => desktop,
    platform,
    now: () => 7,
    record: (each: Decision) => void decided.push(each),
    guard: createGuard(silentLog),
  };
  return { ...fakes, decided, ask: (more: Partial<NotifyRequest> = {}) => notify({ ...request, ...more }, deps) };
}

test.each([
  ["both", ["banner", "voice"]],
  ["banner", ["banner"]],
  ["voice", ["voice"]],
] as const)("mode %s asks for %j", async (mode, channels) => {
  const { ask, decided } = rig();
  const outcome = await ask({ mode });
  expect(outcome).toMatchObject({ kind: "tried", attempts: channels.map((channel) => ({ channel })) });
  expect(decided).toEqual([
    {
      at: 7,
      alert: "notify",
      sessionID: "S",
      outcome: "delivered",
      reason: "asked-for",
      channels,
      title: "Fix login",
      message: "The migration ran",
    },
  ]);
});

test("on a machine without a desktop the terminal stands in for the banner", async () => {
  const { ask, decided } = rig({ desktop: false });
  expect(await ask({ mode: "banner" })).toMatchObject({ kind: "tried", attempts: [{ channel: "terminal" }] });
  expect(decided).toMatchObject([{ outcome: "delivered", channels: ["terminal"] }]);
});

test("what the model writes is cleaned like everything else", async () => {
  const { ask, sent } = rig();
  await ask({ title: "\u001b]0;x\u0007", message: "a\u0000b\u202ec" });
  expect(sent[0]?.note).toMatchObject({ title: "opencode", body: "abc", kind: "notify", key: "notify.S" });
  await ask({ title: "\u0007" });
  expect(sent.at(-1)?.note.title).toBe("opencode");
});

test("the voice and the sound asked for go along", async () => {
  const { ask, sent } = rig();
  await ask({ voice: "Anna", sound: "Ping" });
  expect(sent[0]?.note).toMatchObject({ voice: "Anna", sound: "Ping", spoken: "Fix login: the migration ran" });
});

describe("when nothing works", () => {
  test("a bug of ours is a failure with its line, and the model is told", async () => {
    const decided: Decision[] = [];
    const config = () => {
      throw new Error("a bug of ours");
    };
    const guard = createGuard(silentLog);
    const deps = { channels: createFakeChannels().channels, config, platform: "linux", now: () => 7, guard };
    const outcome = await notify(request, { ...deps, record: (each) => void decided.push(each) });
    expect(outcome).toMatchObject({ kind: "tried", attempts: [{ delivery: { reason: "internal" } }] });
    expect(decided).toMatchObject([{ alert: "notify", outcome: "failed", reason: "internal" }]);
  });

  test("the outcome names each channel that failed, and one line says so", async () => {
    const { ask, decided } = rig({ answer: "refused" });
    expect(await ask()).toMatchObject({
      kind: "tried",
      attempts: (["banner", "terminal", "voice"] as const).map((channel) => ({
        channel,
        delivery: { reason: "refused" },
      })),
    });
    expect(decided).toMatchObject([{ outcome: "failed", reason: "channel-error", channels: [] }]);
  });

  test("a machine without any program has no channel", async () => {
    const { ask, decided } = rig({ answer: "unavailable" });
    expect(await ask()).toMatchObject({ kind: "tried" });
    expect(decided).toMatchObject([{ outcome: "failed", reason: "no-channel" }]);
  });

  test("a system we know nothing of is unsupported", async () => {
    expect(await rig({ answer: "unavailable", platform: "other" }).ask()).toEqual({
      kind: "unsupported",
      platform: "other",
    });
  });

  test("channels that are not there count as unavailable", async () => {
    const decided: Decision[] = [];
    const deps = {
      channels: {},
      config: () => configWith(),
      platform: "linux",
      now: () => 7,
      guard: createGuard(silentLog),
    };
    const outcome = await notify(request, { ...deps, record: (each) => void decided.push(each) });
    expect(outcome).toMatchObject({ attempts: [{ delivery: { ok: false } }, {}, {}] });
    expect(decided).toMatchObject([{ reason: "no-channel" }]);
  });
});
