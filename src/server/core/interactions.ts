import type { Config } from "../config/schema.ts";
import type { NoteEvent } from "../delivery/channel.ts";
import { cancel, schedule } from "./agenda.ts";
import { alertAbout } from "./alert-list.ts";
import { bannerClosed } from "./arrival.ts";
import type { Step } from "./environment.ts";
import { answerOf, bannerKey, type PermissionAnswer, summaryKey } from "./notification.ts";
import { type Answer, nextID } from "./state.ts";
import { finishWithdrawal, wordMs } from "./withdrawal.ts";

/**
 * What a person does to a banner, or to a message on their phone. An answer counts while the setting that offers it is
 * on, and while the request it was offered for is open; that this very note offered it is known where it was shown.
 */
export function interacted(step: Step, event: NoteEvent): void {
  const { key, sessionID } = event;
  if (event.type === "closed") return closed(step, key, sessionID, event.why === "dismissed");
  if (key === summaryKey) return;
  if (event.action === "default") return goTo(step, sessionID, event.token);
  const button = answerOf(event.action);
  if (button !== undefined && key === bannerKey(sessionID)) answer(step, sessionID, button, event.from ?? "banner");
}

function closed(step: Step, key: string, sessionID: string, byPerson: boolean): void {
  if (key !== summaryKey) bannerClosed(step, sessionID, byPerson);
  else if (byPerson) step.state.summarised = [];
}

function goTo({ env, effects }: Step, sessionID: string, token: string | undefined): void {
  if (env.can.goTo) effects.push({ do: "go-to", sessionID, ...(token === undefined ? {} : { token }) });
}

/** Of several targets the right one's setting is looked at where the answer was heard. */
const isOn = ({ alerts }: Config, from: "banner" | "push"): boolean =>
  from === "banner" ? alerts.pause.actions : alerts.push.some(({ actions }) => actions);

/** Too late, when the ask is open no more, was never told, or an answer to it is on its way. */
function answer(step: Step, sessionID: string, button: PermissionAnswer, from: "banner" | "push"): void {
  const { state, env, effects } = step;
  const { requestID, decision } = button;
  const by = `${from}: ${decision}`;
  if (!isOn(env.config, from)) {
    effects.push({ do: "log", text: `${by}: answers are switched off, nothing was answered` });
    return;
  }
  const alert = alertAbout(state, sessionID, requestID);
  const isFree = alert?.answer === undefined || alert.answer.word === "refused";
  if (!env.can.answer || alert?.deliveryID === undefined || !isFree) {
    effects.push({ do: "log", text: `${by}: too late, nothing was answered` });
    return;
  }
  const id = nextID(state, "answer");
  alert.answer = { id, by, givenAt: env.now, word: "awaited" };
  schedule(state.agenda, { what: "answer", id }, env.now + wordMs);
  effects.push({ do: "answer", answer: id, by, sessionID, requestID, decision });
}

/** The host's word on an answer; it may come after the news that the request is closed. */
export function heardOfAnswer(step: Step, id: string, word: "taken" | "refused" | "none"): void {
  const { state } = step;
  cancel(state.agenda, { what: "answer", id });
  for (const alert of state.alerts.values()) if (alert.answer?.id === id) learn(alert.answer, word);
  for (const [withdrawalID, { answer }] of state.withdrawals) {
    if (answer?.id !== id) continue;
    learn(answer, word);
    finishWithdrawal(step, withdrawalID);
  }
}

/** A refusal that comes late still lets another answer follow. */
function learn(answer: Answer, word: "taken" | "refused" | "none"): void {
  if (answer.word === "awaited" || word === "refused") answer.word = word;
}
