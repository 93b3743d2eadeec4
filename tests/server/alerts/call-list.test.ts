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

test("what is still decided or watched is not let go for others", async () => {
  const file = { alerts: { focus: { unseenSeconds: 600 } } };
  const { calls, terminals, wait } = createCallsStage({ file });
  terminals.shows("T1", "looked at");
  calls.open(done, "looked at", "unattended");
  for (let number = 0; number < 600; number += 1) calls.open(done, `ses_${number}`, "unattended");
  await wait();
  expect(calls.all().map(({ sessionID }) => sessionID)).toContain("looked at");
});
