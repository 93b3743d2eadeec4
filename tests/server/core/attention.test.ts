import { expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

test("a terminal's own word on whose subagent it shows counts where we have not heard of that one", async () => {
  const { alerts, shows, wait, news } = createAlertsStage();
  shows("T1", "a child nobody told of", "S");
  alerts.open(pause("p1"), "S", "unattended", "p1");
  alerts.open(pause("p2"), "C", "unattended", "p2");
  alerts.open(done, "S", "unattended");
  await wait();
  expect(news().toSorted()).toEqual([
    "done delivered unattended",
    "pause deferred attended p1",
    "pause deferred attended p2",
  ]);
});
