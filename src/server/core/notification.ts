import { cleanBody } from "../../shared/text.ts";
import type { Note, NoteAction, Urgency } from "../delivery/channel.ts";
import { openRequests } from "./alert-list.ts";
import { type AlertContent, sentence } from "./alert-words.ts";
import type { Environment, Step } from "./environment.ts";
import type { Plan } from "./gate.ts";
import { productName, type Subject, subjectOf } from "./subject.ts";
import { spokenLine, type Wording } from "./wording/wording.ts";

/** One live banner a session, replaced by its newest state. */
export const bannerKey = (sessionID: string): string => `session.${sessionID}`;
export const summaryKey = "summary";

/** More titles than this do not fit on a summary's banner. */
const mostNamed = 5;

const urgencies = {
  pause: "critical",
  error: "critical",
  done: "normal",
  notify: "normal",
} satisfies Record<Note["kind"], Urgency>;

export type ToTell = { content: AlertContent; subject: Subject; plan?: Plan; overdue?: boolean };
type Words = Pick<Environment, "config" | "wording">;

export function notification({ content, subject, plan, overdue = false }: ToTell, { config, wording }: Words): Note {
  const { alerts, notifications } = config;
  const words = sentence(content, wording, alerts.detail);
  const body = overdue ? wording.reminder(words) : words;
  const sound = typeof alerts.sound === "string" ? alerts.sound : (notifications.sound ?? null);
  return {
    key: bannerKey(subject.sessionID),
    kind: content.kind,
    sessionID: subject.sessionID,
    title: subject.title,
    body,
    urgency: urgencies[content.kind],
    spoken: spokenLine(subject.title, body),
    voice: notifications.voice ?? null,
    language: wording.language,
    ...(plan?.sound === true ? { sound } : {}),
    away: { title: subject.project, body: wording.kind[content.kind] },
  };
}

/** One banner for several ends: it names the sessions and nothing else. */
export function summaryNotification(step: Step): Note {
  const sessionIDs = step.state.summarised;
  const titles = sessionIDs.slice(-mostNamed).map((sessionID) => subjectOf(step, sessionID).title);
  const body = cleanBody(step.env.wording.summary(sessionIDs.length, titles.join(", ")));
  return { key: summaryKey, kind: "done", sessionID: "", title: productName, body, urgency: "normal", spoken: body };
}

/** A click goes to the session; a lone permission can be answered from its banner, where the person wants that. */
export function withActions({ state, env }: Step, note: Note): Note {
  const asked = answerable({ kind: "pause", requests: openRequests(state, note.sessionID) });
  const asks = note.kind === "pause" && env.config.alerts.pause.actions && env.can.answer ? asked : undefined;
  const buttons = asks === undefined ? [] : answerButtons(asks, env.wording.actions);
  const click = env.can.goTo ? [{ key: "default", label: note.title }] : [];
  return { ...note, actions: [...click, ...buttons] };
}

/**
 * The request a lone permission's buttons would answer. Questions and several requests have none, nor has one whose host
 * gave it no id: it goes by its kind, which no host could answer.
 */
export function answerable(content: AlertContent): string | undefined {
  if (content.kind !== "pause") return undefined;
  const [request, ...more] = content.requests;
  const { about, requestID } = request ?? {};
  return about === "permission" && requestID !== about && more.length === 0 ? requestID : undefined;
}

/** Each button names its request: one that is pressed late answers that one or nothing, whatever is asked by then. */
export const answerButtons = (requestID: string, { allowOnce, deny }: Wording["actions"]): NoteAction[] => [
  { key: `once:${requestID}`, label: allowOnce },
  { key: `reject:${requestID}`, label: deny },
];

export type PermissionAnswer = { decision: "once" | "reject"; requestID: string };

/** What a pressed button answers; undefined for another one. */
export function answerOf(key: string): PermissionAnswer | undefined {
  for (const decision of ["once", "reject"] as const)
    if (key.startsWith(`${decision}:`)) return { decision, requestID: key.slice(decision.length + 1) };
  return undefined;
}
