import { expect, test } from "vitest";
import { createCallsStage, done, pause } from "../../fakes/calls-stage.ts";

test("five hundred ends are remembered, the oldest beyond that are let go, an ask never", async () => {
  const { calls, wait } = createCallsStage();
  calls.open(pause("p1"), "asking", "unattended", "p1");
  for (let number = 0; number < 600; number += 1) calls.open(done, `ses_${number}`, "unattended");
  await wait();
  expect(calls.all()).toHaveLength(500);
  expect(calls.openRequests("asking")).toHaveLength(1);
});
