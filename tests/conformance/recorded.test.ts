import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { waitFor } from "../rig/host/wait-for.ts";
import type { HostEvent } from "./event.ts";
import { orderOf, ordersOf, recordedEvents } from "./recorded-rounds.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

const directory = mkdtempSync(join(tmpdir(), "conformance-"));
writeFileSync(join(directory, "here.txt"), "here");
afterAll(() => rmSync(directory, { recursive: true }));

type Story = { host: ServerProcess; events: HostEvent[]; sessionID: string; seen(type: string): Promise<void> };

/** Plays a round on a host that speaks as the alpha did, and gives everything a subscriber would have got. */
async function play(story: (story: Story) => Promise<void>, asks: string[] = [], denies: string[] = []) {
  const host = startProcess({ spelling: "alpha", engine: { retryScale: 0.002 } });
  const events: HostEvent[] = [];
  host.publisher.listen((event) => events.push(event));
  const { id } = await host.api.create({ location: { directory }, asks, denies });
  const seen = async (type: string) => void (await waitFor(type, () => events.find((event) => event.type === type)));
  await story({ host, events, sessionID: id, seen });
  await host.api.wait(id).catch(() => {});
  if (events.some(({ type }) => type.endsWith("admitted"))) await seen("session.renamed");
  await host.stop();
  return events;
}

const say =
  (text: string) =>
  async ({ host, sessionID }: Story) => {
    await host.api.prompt({ sessionID, text });
    await host.api.wait(sessionID);
  };
const permission = (reply: "once" | "always" | "reject", message?: string) => async (story: Story) => {
  const { host, sessionID, seen } = story;
  await host.api.prompt({ sessionID, text: "[bash echo secret]" });
  await seen("permission.v2.asked");
  for (const { id } of host.permissions.list(sessionID)) host.permissions.reply(id, reply, message);
  await host.api.wait(sessionID);
};
const interruptAt =
  (type: string, text: string) =>
  async ({ host, sessionID, seen }: Story) => {
    await host.api.prompt({ sessionID, text });
    await seen(type);
    await host.api.interrupt(sessionID);
  };
const form =
  (act: (host: ServerProcess, formID: string) => void) =>
  async ({ host, sessionID, seen }: Story) => {
    await host.api.prompt({ sessionID, text: "[question]" });
    await seen("form.created");
    for (const { id } of host.forms.list(sessionID)) act(host, id);
    await host.api.wait(sessionID);
  };

/** Each recorded round of one session, and the same thing done here. */
const rounds: [name: string, story: (story: Story) => Promise<void>, asks?: string[], denies?: string[]][] = [
  ["plain", say("[plain]")],
  ["tool", say("[read here.txt]")],
  ["tool-failed", say("[read missing.txt]")],
  ["shell-tool", say("[bash echo hi]")],
  ["permission-once", permission("once"), ["shell"]],
  ["permission-always", permission("always"), ["shell"]],
  ["permission-reject", permission("reject", "do not"), ["shell"]],
  ["permission-reject-nomsg", permission("reject"), ["shell"]],
  ["permission-denied-by-rule", say("[bash echo denied]"), [], ["shell"]],
  ["question-reply", form((host, id) => host.forms.reply(id, { q0: "Blue" }))],
  ["question-cancel", form((host, id) => host.forms.cancel(id))],
  ["interrupt", interruptAt("session.text.delta", "[slow 20 100]")],
  ["interrupt-permission", interruptAt("permission.v2.asked", "[bash echo secret]"), ["shell"]],
  ["interrupt-question", interruptAt("form.created", "[question]")],
  ["error-401", say("[http 401]")],
  ["error-429-retry", say("[http 429 1]")],
  ["error-500-retry", say("[http 500 2]")],
  ["error-500-exhausted", say("[http 500]")],
  ["unknown-model", say("[noroute]")],
  [
    "error-connrefused",
    async ({ host, events, sessionID }) => {
      await host.api.prompt({ sessionID, text: "[refused]" });
      await waitFor("the fourth wait", () => events.filter(({ type }) => type === "session.retry.scheduled").at(3));
      await host.api.interrupt(sessionID);
    },
  ],
  [
    "second-prompt",
    async (story) => {
      await say("[plain]")(story);
      await story.seen("session.renamed");
      await say("again [plain]")(story);
    },
  ],
  [
    "queued-prompt",
    async ({ host, sessionID, seen }) => {
      await host.api.prompt({ sessionID, text: "[bash echo secret]" });
      await seen("permission.v2.asked");
      await host.api.prompt({ sessionID, text: "queued one [plain]", delivery: "queue" });
      for (const { id } of host.permissions.list(sessionID)) host.permissions.reply(id, "once");
      await host.api.wait(sessionID);
    },
    ["shell"],
  ],
  [
    "session-delete",
    async (story) => {
      await say("[plain]")(story);
      await story.host.api.remove(story.sessionID);
    },
  ],
  [
    "session-delete-running",
    async ({ host, sessionID, seen }) => {
      await host.api.prompt({ sessionID, text: "[slow 20 100]" });
      await seen("session.text.delta");
      await host.api.remove(sessionID);
    },
  ],
  ["user-shell", ({ host, sessionID }) => host.api.shell(sessionID, "echo from-user")],
  [
    "session-ops",
    async (story) => {
      const { host, sessionID, seen } = story;
      await say("[plain]")(story);
      await seen("session.renamed");
      host.api.rename(sessionID, "renamed");
      host.api.selectAgent(sessionID, "plan");
      host.api.compact(sessionID);
      await host.api.wait(sessionID);
      host.api.fork(sessionID);
    },
  ],
];

test.each(rounds)("%s: the events come in the order that was recorded", async (name, story, asks, denies) => {
  expect(orderOf(await play(story, asks, denies))).toEqual(orderOf(recordedEvents(name)));
});

test.each([
  ["subagent", say("[task {plain}]")],
  [
    "subagent-background",
    async (story: Story) => {
      await say("[background {plain}]")(story);
      const ends = () => story.events.filter(({ type }) => type === "session.execution.succeeded");
      await waitFor("the end of the woken parent", () => ends().at(2));
    },
  ],
] as const)("%s: each of its sessions goes as recorded", async (name, story) => {
  expect(ordersOf(await play(story))).toEqual(ordersOf(recordedEvents(name)));
});

test("a terminal saw the same order of events as this host gives for the same four prompts", async () => {
  const ours = await play(
    async (story) => {
      const { host, sessionID, seen } = story;
      await say("[plain]")(story);
      await seen("session.renamed");
      await permission("once")(story);
      await form((forms, id) => forms.forms.reply(id, { q0: "Red" }))(story);
      await host.api.prompt({ sessionID, text: "[slow 20 100]" });
      await waitFor("the last text", () => story.events.filter(({ type }) => type === "session.text.started").at(3));
      await host.api.interrupt(sessionID);
    },
    ["shell"],
  );
  expect(orderOf(ours)).toEqual(orderOf(recordedEvents("tui-session")));
});
