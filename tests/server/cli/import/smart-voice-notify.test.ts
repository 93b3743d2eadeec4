import { expect, test } from "vitest";
import { fromSmartVoiceNotify } from "../../../../src/server/cli/import/smart-voice-notify.ts";

const reminder = { enableTTSReminder: true, permissionReminderDelaySeconds: 20, maxFollowUpReminders: 3 };
const remindersOf = (settings: object) => fromSmartVoiceNotify({ enableSound: false, ...settings }).patch;

test("more reminders are taken over only where they were switched on", () => {
  expect(remindersOf({ ...reminder, enableFollowUpReminders: true })).toMatchObject({
    alerts: { reminder: { afterSeconds: 20, times: 4 } },
  });
  expect(remindersOf(reminder)).toMatchObject({ alerts: { reminder: { afterSeconds: 20 } } });
  expect(remindersOf(reminder)).not.toHaveProperty(["alerts", "reminder", "times"]);
});
