import { expect, test } from "vitest";
import type { Note } from "../../../src/server/delivery/channel.ts";
import { createDeciderStage } from "../../fakes/decider-stage.ts";
import { permission, working } from "../../fakes/session-stage.ts";

const target = { type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 1, actions: true };

async function pushed({ canAnswer = true, works = true, detail = false } = {}) {
  const messages: Note[] = [];
  const stage = createDeciderStage({
    file: { alerts: { push: [{ ...target, detail }] } },
    ...(canAnswer ? { answer: async () => {} } : {}),
    more: works
      ? {
          push: {
            async send(message) {
              messages.push(message);
              return { ok: true, outlet: "ntfy", certainty: "accepted" };
            },
            withdraw: async () => true,
          },
        }
      : {},
  });
  stage.tell("S", { kind: "described", title: "Fix login", parentID: null, directory: "/w/app" }, ...working);
  stage.tell("S", permission("p1", { label: "bash" }));
  await stage.wait(350);
  await stage.wait(1_000);
  return { messages, line: stage.decided.at(-1) };
}

test.each([
  [true, ["once:p1", "reject:p1"]],
  [false, []],
])("a message has buttons only where the host can be given the answer: %s", async (canAnswer, buttons) => {
  const { messages } = await pushed({ canAnswer });
  expect(messages.map(({ actions = [] }) => actions.map(({ key }) => key))).toEqual([buttons]);
});

test.each([
  [true, "A permission waits for you · bash"],
  [false, "Waits for you"],
])("the line of a message says what left the machine, detail: %s", async (detail, message) => {
  expect((await pushed({ detail })).line).toMatchObject({ message, title: "app", channels: ["push"] });
  const line = (await pushed({ detail, works: false })).line;
  expect(line).toMatchObject({ message, title: "app", channels: [], outcome: "failed", reason: "no-channel" });
});
