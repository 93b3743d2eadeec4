import { expect, test } from "vitest";
import { sendAway } from "../../../src/server/alerts/send-away.ts";
import type { Note } from "../../../src/server/delivery/channel.ts";
import { wordingFor } from "../../../src/server/core/wording/locale.ts";
import { pause } from "../../fakes/calls-stage.ts";
import { configWith } from "../../fakes/config.ts";

const note: Note = { key: "k", kind: "pause", sessionID: "S", title: "t", body: "b", urgency: "critical", spoken: "s" };
const [target] = configWith({
  alerts: { push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", actions: true }] },
}).alerts.push;

test.each([
  [true, ["once:p1", "reject:p1"]],
  [false, []],
])("a message has buttons only where the host can be given the answer: %s", async (canAnswer, buttons) => {
  const sent: Note[] = [];
  await sendAway(
    { alert: pause("p1"), note, target: target ?? expect.fail("no target") },
    {
      push: {
        async send(message) {
          sent.push(message);
          return { ok: true, outlet: "ntfy", certainty: "accepted" };
        },
        withdraw: async () => true,
      },
      wording: () => wordingFor("en"),
      canAnswer,
      isOpen: () => true,
    },
  );
  expect(sent.map(({ actions = [] }) => actions.map(({ key }) => key))).toEqual([buttons]);
});

test.each([
  [true, "npm test"],
  [false, "A decision waits"],
])("the line of a message says what left the machine, detail: %s", async (detail, message) => {
  const handed = await sendAway(
    {
      alert: pause("p1"),
      note: { ...note, body: "npm test", away: { title: "app", body: "A decision waits" } },
      target: { ...(target ?? expect.fail("no target")), detail },
    },
    { wording: () => wordingFor("en"), canAnswer: false, isOpen: () => true },
  );
  expect(handed).toMatchObject({ message, title: "app", channels: [], failure: "no-channel" });
});
