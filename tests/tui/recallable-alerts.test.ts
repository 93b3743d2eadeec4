import { expect, test } from "vitest";
import { createRecallableAlerts } from "../../src/tui/recallable-alerts.ts";

const alert = { key: "session.S", title: "Fix login", body: "Work finished", urgency: "normal" as const };

function setUp() {
  const did: string[] = [];
  const alerts = createRecallableAlerts({
    prepare: async () => {},
    raise: ({ body }) => did.push(`raise ${body}`) > 0,
    takeBack: (key) => did.push(`take back ${key}`) > 0,
  });
  return { alerts, did };
}

test("an alert is raised, and taken back later", async () => {
  const { alerts, did } = setUp();
  expect(await alerts.raise(alert)).toBe(true);
  alerts.takeBack(alert.key);
  expect(did).toEqual(["raise Work finished", "take back session.S"]);
});

test("an alert called off in the same breath is never written", async () => {
  const { alerts, did } = setUp();
  const raised = alerts.raise(alert);
  alerts.takeBack(alert.key);
  expect(await raised).toBe(false);
  expect(did).toEqual(["take back session.S"]);
});

test("of an alert that is called off and asked for anew, only the new one is written", async () => {
  const { alerts, did } = setUp();
  const [first, , second] = [
    alerts.raise(alert),
    alerts.takeBack(alert.key),
    alerts.raise({ ...alert, body: "Work finished again" }),
  ];
  expect([await first, await second]).toEqual([false, true]);
  expect(did).toEqual(["take back session.S", "raise Work finished again"]);
});

test("calling one off leaves the others", async () => {
  const { alerts, did } = setUp();
  const raised = [alerts.raise(alert), alerts.raise({ ...alert, key: "session.R", body: "another" })];
  alerts.takeBack("session.R");
  expect(await Promise.all(raised)).toEqual([true, false]);
  expect(did).toEqual(["take back session.R", "raise Work finished"]);
});
