import { expect, test } from "vitest";
import { fromOpencodeNotifier } from "../../../../src/server/cli/import/opencode-notifier.ts";

test("of several sounds the first is taken, and that the others were not is said", () => {
  const { patch, without } = fromOpencodeNotifier({ sounds: { permission: "/a.wav", complete: "/b.wav" } });
  expect(patch).toMatchObject({ alerts: { sound: "/a.wav" } });
  expect(without).toContainEqual(expect.stringContaining("one sound stands for every kind of alert"));
  const same = fromOpencodeNotifier({ sounds: { permission: "/a.wav", complete: "/a.wav" } });
  expect(same.without).toEqual([]);
});

test("who wants permissions without questions is told that both call here", () => {
  const { patch, without } = fromOpencodeNotifier({ sound: false, events: { question: false } });
  expect(patch).toEqual({});
  expect(without).toContainEqual(expect.stringContaining("a question and a permission are one kind here"));
});
