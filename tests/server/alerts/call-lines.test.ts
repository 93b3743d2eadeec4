import { expect, test } from "vitest";
import { createCallsStage, done, pause } from "../../fakes/calls-stage.ts";

test("an alert that was taken back before it left failed nobody", async () => {
  const { calls, channelsAnswer, wait, news } = createCallsStage();
  channelsAnswer({ channels: [], failure: "dropped" });
  calls.open(done, "S", "unattended");
  calls.open(pause("p1"), "R", "unattended", "p1");
  await wait();
  expect(news()).toEqual(["done silent superseded", "pause silent auto-answered p1"]);
});
