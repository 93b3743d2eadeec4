import { expect, test } from "vitest";
import { createCallsStage, done, pause } from "../../fakes/calls-stage.ts";

test("a terminal's own word on whose subagent it shows counts where we have not heard of that one", async () => {
  const { calls, shows, wait, news } = createCallsStage();
  shows("T1", "a child nobody told of", "S");
  calls.open(pause("p1"), "S", "unattended", "p1");
  calls.open(pause("p2"), "C", "unattended", "p2");
  calls.open(done, "S", "unattended");
  await wait();
  expect(news().toSorted()).toEqual([
    "done delivered unattended",
    "pause deferred attended p1",
    "pause deferred attended p2",
  ]);
});
