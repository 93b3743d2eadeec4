import { expect, test } from "vitest";
import { createRaises } from "../../../src/server/focus/raises.ts";
import { encode, maxFrameBytes, type ToTerminal } from "../../../src/shared/protocol.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { settled } from "../../fakes/settled.ts";

const alert = { key: "session.S", title: "t", body: "b", urgency: "normal" } as const;

function setUp() {
  const clock = createHandCrankedClock();
  const sent: ToTerminal[] = [];
  const raises = createRaises(clock, (frame) => void sent.push(frame));
  const results: boolean[] = [];
  return { clock, sent, raises, results, raise: () => void raises.raise(alert).then((done) => results.push(done)) };
}

test("each alert has its own answer", async () => {
  const { sent, raises, results, raise, clock } = setUp();
  raise();
  raise();
  raises.answered(2, true);
  raises.answered(1, false);
  raises.answered(3, true);
  await settled();
  expect(results).toEqual([true, false]);
  expect(sent).toMatchObject([{ request: 1 }, { request: 2 }]);
  expect(clock.waiting()).toBe(0);
});

test("a terminal that says nothing for two seconds did not raise it", async () => {
  const { clock, raises, results, raise } = setUp();
  raise();
  clock.advance(1_999);
  await settled();
  expect(results).toEqual([]);
  clock.advance(1);
  raises.answered(1, true);
  await settled();
  expect(results).toEqual([false]);
});

test("where nobody answers any more nothing was raised, at once", async () => {
  const { raises, results, raise } = setUp();
  raise();
  raise();
  raises.abandon();
  await settled();
  expect(results).toEqual([false, false]);
});

test("an alert is cut to what one frame holds", () => {
  const { sent, raises } = setUp();
  void raises.raise({ ...alert, title: "t".repeat(5_000), body: "b".repeat(50_000) });
  const [frame] = sent;
  expect(frame).toMatchObject({ type: "raise" });
  expect(Buffer.byteLength(encode(frame ?? expect.fail("nothing was sent")))).toBeLessThanOrEqual(maxFrameBytes);
});
