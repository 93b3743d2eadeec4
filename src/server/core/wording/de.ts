import { durationWords } from "./duration.ts";
import { type Wording, withDetail } from "./wording.ts";

const units = { hours: "Std.", minutes: "Min.", seconds: "Sek." };

export const german: Wording = {
  language: "de",
  question: (header) => withDetail("Eine Frage wartet auf dich", header),
  questions: (count) => `${count} Fragen warten auf dich`,
  permission: (action) => withDetail("Eine Erlaubnis wird gebraucht", action),
  requests: (count) => `${count} Anfragen warten auf dich`,
  done: (ms) => withDetail("Arbeit fertig", ms === undefined ? undefined : durationWords(ms, units)),
  error: (name) => withDetail("Mit einem Fehler angehalten", name),
  stuck: (attempt) =>
    withDetail("Noch keine Antwort, versucht es weiter", attempt === undefined ? undefined : `Versuch ${attempt}`),
  inactive: () => "Angehalten: keine Aktivität",
  reminder: (of) => withDetail("Wartet noch immer", of),
  summary: (count, titles) =>
    withDetail(count === 1 ? "1 Sitzung ist fertig" : `${count} Sitzungen sind fertig`, titles),
  kind: { pause: "Wartet auf dich", done: "Arbeit fertig", error: "Mit einem Fehler angehalten" },
  actions: { allowOnce: "Einmal erlauben", deny: "Ablehnen" },
};
