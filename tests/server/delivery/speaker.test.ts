import { expect, test } from "vitest";
import type { RunProgram } from "../../../src/server/delivery/run-program.ts";
import { createSpeaker } from "../../../src/server/delivery/speaker.ts";
import { settled } from "../../fakes/settled.ts";
import { noteOf } from "./note.ts";

test("what is spoken now can be cut, also when an earlier sentence of the same session has just ended", async () => {
  const running: { aborted(): boolean; end(): void }[] = [];
  const run: RunProgram = ({ signal }) =>
    new Promise((resolve) => {
      running.push({ aborted: () => signal?.aborted === true, end: () => resolve({ ok: true, value: "" }) });
    });
  const performer = { name: "say", call: () => ({ program: "say", args: [] }), deadlineMs: () => 1_000 };
  const speaker = createSpeaker(performer, { run, env: {} });
  const never = new AbortController().signal;
  void speaker.send(noteOf(), never);
  void speaker.send(noteOf(), never);
  running[0]?.end();
  await settled();
  await speaker.withdraw?.(noteOf().key);
  expect(running.map(({ aborted }) => aborted())).toEqual([false, true]);
});
