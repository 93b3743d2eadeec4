import type { Delivery, Note } from "../delivery/channel.ts";
import type { Wording } from "../locales/wording.ts";
import { answerable, answerButtons } from "./answer-buttons.ts";
import { failureOf, type Handed } from "./deliver.ts";
import type { PushTarget } from "./later.ts";
import type { Alert } from "./words.ts";

export type Away = {
  /** `asks`: the request that the note's actions answer. */
  send(note: Note, target: PushTarget, asks?: string): Promise<Delivery>;
  withdraw(key: string): Promise<boolean>;
  /** That request is open no more. */
  closed?(requestID: string): void;
};

export type SendAwayDeps = {
  push?: Away;
  wording(): Wording;
  /** Whether this host can be given an answer. */
  canAnswer: boolean;
  isOpen(sessionID: string, requestID: string): boolean;
};

export type Message = { alert: Alert; note: Note; target: PushTarget };

/** A message that leaves the machine: with buttons when it asks for one permission and its target wants them. */
export async function sendAway({ alert, note, target }: Message, deps: SendAwayDeps): Promise<Handed> {
  const asks = target.actions && deps.canAnswer ? answerable(alert) : undefined;
  const actions = asks === undefined ? [] : answerButtons(asks, deps.wording().actions);
  const delivery = await deps.push?.send({ ...note, actions }, target, asks);
  if (asks !== undefined && !deps.isOpen(note.sessionID, asks)) deps.push?.closed?.(asks); // answered while it was sent
  const { away } = note;
  const handed = {
    title: target.title ? note.title : (away?.title ?? note.title),
    message: target.detail ? note.body : (away?.body ?? note.body),
  };
  if (delivery?.ok === true) return { ...handed, channels: ["push"] };
  return { ...handed, channels: [], failure: failureOf(delivery === undefined ? [] : [delivery]) };
}
