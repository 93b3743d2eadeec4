import { durationWords } from "./duration.ts";
import { type Wording, withDetail } from "./wording.ts";

const units = { hours: "h", minutes: "min", seconds: "s" };

export const english: Wording = {
  language: "en",
  question: (header) => withDetail("A question waits for you", header),
  questions: (count) => `${count} questions wait for you`,
  permission: (action) => withDetail("A permission waits for you", action),
  requests: (count) => `${count} requests wait for you`,
  done: (ms) => withDetail("Work finished", ms === undefined ? undefined : durationWords(ms, units)),
  error: (name) => withDetail("Stopped with an error", name),
  stuck: (attempt) =>
    withDetail("No answer yet, still retrying", attempt === undefined ? undefined : `attempt ${attempt}`),
  inactive: () => "The session stopped: inactivity",
  reminder: (of) => withDetail("Still waiting", of),
  summary: (count, titles) => withDetail(count === 1 ? "1 session finished" : `${count} sessions finished`, titles),
  kind: { pause: "Waits for you", done: "Work finished", error: "Stopped with an error" },
  actions: { allowOnce: "Allow once", deny: "Deny" },
};
