import * as asking from "./asking.ts";
import type { Scenario } from "./scenario.ts";
import * as stopping from "./stopping.ts";
import * as working from "./working.ts";

/** Every story that both hosts must tell alike. */
export const scenarios: Scenario[] = [
  asking.permissionAnswered,
  asking.permissionAnsweredAtOnce,
  asking.questionAnswered,
  asking.questionThenWork,
  asking.questionDismissed,
  asking.permissionRefused,
  asking.permissionRefusedWithMessage,
  asking.equalPermissions,
  asking.permissionsTogether,
  asking.permissionForAlways,
  asking.childPermission,
  asking.childQuestion,
  working.realWork,
  working.pureAnswer,
  working.todoOnly,
  working.subagentOnly,
  working.subagentAndOwnWork,
  working.twoSessions,
  working.queuedPrompt,
  stopping.abortedAtAnAsk,
  stopping.abortedAtWork,
  stopping.abortedWhileRetrying,
  stopping.refusedByTheModel,
  stopping.recoveredWithoutWork,
  stopping.recoveredAndWorked,
  stopping.deletedWhileBusy,
];
