import { expect, test } from "vitest";
import { createAlertsStage, done, failure, pause } from "../../fakes/alerts-stage.ts";

test("five hundred ends are remembered, the oldest beyond that are let go, an ask never", async () => {
  const { alerts, wait } = createAlertsStage();
  alerts.open(pause("p1"), "asking", "unattended", "p1");
  for (let number = 0; number < 600; number += 1) alerts.open(failure, `ses_${number}`, "unattended");
  await wait();
  expect(alerts.all()).toHaveLength(500);
  expect(alerts.openRequests("asking")).toHaveLength(1);
});

test("what is still decided or watched is not let go for others", async () => {
  const file = { alerts: { focus: { unseenSeconds: 600 } } };
  const { alerts, terminals, wait } = createAlertsStage({ file });
  terminals.shows("T1", "looked at");
  alerts.open(done, "looked at", "unattended");
  for (let number = 0; number < 600; number += 1) alerts.open(failure, `ses_${number}`, "unattended");
  await wait();
  expect(alerts.all().map(({ sessionID }) => sessionID)).toContain("looked at");
});
