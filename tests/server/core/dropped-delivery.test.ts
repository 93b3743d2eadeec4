import { expect, test } from "vitest";
import { createAlertsStage, done, pause } from "../../fakes/alerts-stage.ts";

test("an alert that was taken back before it left failed nobody", async () => {
  const { alerts, channelsAnswer, wait, news } = createAlertsStage();
  channelsAnswer({ channels: [], failure: "dropped" });
  alerts.open(done, "S", "unattended");
  alerts.open(pause("p1"), "R", "unattended", "p1");
  await wait();
  expect(news()).toEqual(["done silent superseded", "pause silent auto-answered p1"]);
});
