import { expect, test } from "vitest";
import { type MessageView, shapeOf } from "../../../src/server/core/message-history.ts";

const user = (...synthetic: boolean[]): MessageView => ({
  role: "user",
  texts: synthetic.map((each) => ({ synthetic: each })),
});
const typed = (created?: number): MessageView => ({
  ...user(false),
  ...(created === undefined ? {} : { created }),
});
const nudge = user(true);
const woken: MessageView = { role: "synthetic", texts: [] };
const answer: MessageView = { role: "assistant", texts: [] };
const failed: MessageView = { ...answer, error: "APIError" };
const marker: MessageView = { role: "idle", texts: [] };
const other: MessageView = { role: "other", texts: [] };
const compaction: MessageView = { role: "user", texts: [], compaction: true };

test.each<[string, MessageView[], "typed" | "synthetic" | undefined]>([
  ["nobody knows who started an empty talk", [], undefined],
  ["nobody knows who started a talk of answers alone", [answer, answer], undefined],
  ["nobody knows who started a turn of markers alone", [marker, marker], undefined],
  ["a prompt and its answer are typed", [typed(), answer], "typed"],
  ["a text the host wrote is synthetic", [nudge, answer], "synthetic"],
  ["a prompt with the host's note in it is typed", [user(false, true), answer], "typed"],
  ["a prompt without any text is typed: a file alone", [user(), answer], "typed"],
  ["the newest prompt counts where there are no markers", [typed(), answer, nudge, answer], "synthetic"],
  ["a steer in mid-round stays inside it", [typed(), answer, marker, typed(), answer, nudge, answer], "typed"],
  ["the turn's own marker is already there", [typed(), answer, marker], "typed"],
  ["several markers of this turn are one", [typed(), answer, marker, marker], "typed"],
  ["a round begins after the previous marker", [typed(), answer, marker, woken, answer, marker], "synthetic"],
  ["an answer alone after a marker: nobody knows", [typed(), answer, marker, answer, marker], undefined],
  ["what is no message of anybody is passed over", [typed(), answer, marker, other, typed(), answer], "typed"],
  [
    "a compaction in mid-round keeps the round's own prompt",
    [typed(), answer, compaction, answer, nudge, answer],
    "typed",
  ],
  [
    "a compaction somebody asked for starts nothing of its own before it",
    [typed(), answer, compaction, answer],
    "typed",
  ],
  ["a compaction alone is not typed", [compaction, answer], "synthetic"],
])("%s", (_, messages, trigger) => {
  expect(shapeOf(messages)?.trigger).toBe(trigger);
});

test("the error is that of the round's last answer", () => {
  expect(shapeOf([typed(), answer, failed])?.error).toBe("APIError");
  expect(shapeOf([typed(), failed, answer])?.error).toBeUndefined();
  expect(shapeOf([typed(), failed, marker, typed(), answer])?.error).toBeUndefined();
});

test("the round is as old as the prompt that started it", () => {
  expect(shapeOf([typed(5), answer, marker, typed(9), answer])?.created).toBe(9);
  expect(shapeOf([typed(), answer])).not.toHaveProperty("created");
});
