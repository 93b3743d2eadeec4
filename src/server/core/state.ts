import { type Agenda, emptyAgenda } from "./agenda.ts";
import type { AlertContent } from "./alert-words.ts";
import type { ChannelName, DeliveredReason, FailedReason, WithdrawnReason } from "./decision.ts";
import type { Ask, Trigger } from "./event.ts";
import { resting, type Turn } from "./round.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** Goes up whenever the shape of `State` changes: a value of another version is not read. */
export const stateVersion = 1;

/**
 * All that one process knows of its sessions and its alerts. Plain data: no function, timer, promise or handle in it,
 * so a structured clone of it is the same state, and whoever takes over goes on from the value.
 */
export type State = {
  readonly version: typeof stateVersion;
  /** Epoch ms: what happened before it is nobody's news. */
  startedAt: number;
  /** `wall - now` at the start: tells when somebody sets the wall clock back. */
  clockOffset: number;
  sessions: Map<string, Session>;
  /** The known children of a session. */
  children: Map<string, Set<string>>;
  /** Alerts that are being decided, suppressed or shown, oldest first. */
  alerts: Map<string, Alert>;
  agenda: Agenda;
  /** Questions that were asked and not answered yet. */
  lookUps: Map<string, LookUp>;
  /** What was handed to channels and is not known to have arrived. */
  deliveries: Map<string, Delivering>;
  /** What was taken back, until it is known what went. */
  withdrawals: Map<string, Withdrawing>;
  /** Sessions the summary names. */
  summarised: string[];
  /** The newest event ids: on 2.x every plugin instance hears every event. */
  heard: Set<string>;
  /** The newest deleted sessions: nothing brings them back. */
  deleted: Set<string>;
  /** Counts up; makes ids. */
  serial: number;
};

/** What is remembered of one session. Times are monotonic ms. Every field is always there: thousands of them stay small. */
export type Session = {
  readonly id: string;
  /** null = a root; undefined = not known yet. */
  parentID: string | null | undefined;
  title: string | undefined;
  directory: string | undefined;
  turn: Turn;
  /** Oldest first. */
  requests: readonly PendingRequest[];
  /** Started in the background and not heard of yet. */
  launched: boolean;
  heardAt: number;
  /** Its last end that was no legacy event. */
  endedAt: number | undefined;
  /** Who started what comes next. */
  nextTrigger: Trigger | undefined;
  promptID: string | undefined;
  userMessageID: string | undefined;
  /** Prompts accepted and not yet read (2.x). */
  unread: Set<string> | undefined;
  /** The tool calls of the running round. */
  calls: ToolCalls | undefined;
  /** Tool calls whose permission was told in this round. */
  toldCalls: Set<string> | undefined;
};

/** settling: inside its window · told: announced, or batched with one that was · known: never to be announced. */
export type PendingRequest = Ask & { stage: "settling" | "told" | "known" };

/** Who waits for where a session belongs. */
export type Waiter = { sessionID: string; for: "requests" | "round" };

export type LookUp =
  | { what: "session"; sessionID: string; waiting: Waiter[] }
  | { what: "messages"; sessionID: string }
  | { what: "screen"; alertID: string; then: AfterScreen };

/** What was to happen if the screen is locked, or whatever it is. */
export type AfterScreen =
  | { go: "decide"; reason: DeliveredReason; reminders: number; seenByHost: boolean }
  | { go: "remind" }
  | { go: "push"; target: number; reason: DeliveredReason };

/** One alert through its life. */
export type Alert = {
  readonly id: string;
  readonly sessionID: string;
  content: AlertContent;
  /** The request its decision lines name. */
  requestID?: string;
  /** checking: is the screen locked? · suppressed: somebody looks, or looked · shown: handed to channels. */
  stage: "checking" | "suppressed" | "shown";
  /** When it was handed over or held back. */
  since: number;
  reminders: number;
  /** Which of `alerts.push` are dealt with. */
  pushed: readonly number[];
  /** Told though a terminal says focused: no sign of life came, or the screen was locked. Only a sign of life takes it back. */
  unseen?: true;
  /** Its voice was heard by somebody who looks: only the banner is still due. */
  heard?: true;
  /** Somebody saw it on the screen: only reminders and messages may still follow. */
  known?: true | undefined;
  /** Its banner went by itself: there is nothing on the screen to take back. */
  gone?: true | undefined;
  /** Its newest delivery. */
  deliveryID?: string;
  /** What its newest delivery came to. */
  handed?: Handed | undefined;
  /** Given by the person, from its banner or from a message. */
  answer?: Answer;
};

/** What became of one delivery: the channels that took it, in order, and what they were given. */
export type Handed = {
  title: string;
  message: string;
  channels: ChannelName[];
  /** Why nothing took it. "dropped": it was taken back before it left, and nothing is wrong. */
  failure?: FailedReason | "dropped";
};

/** What every line about an alert begins with. */
export type LineFacts = { alert: AlertContent["kind"]; sessionID: string; requestID?: string };

export type Delivering = {
  line: LineFacts;
  alertID: string;
  at: number;
  reason: DeliveredReason;
  /** A message that leaves the machine: which of `alerts.push`, and the request its buttons answer. */
  push?: { asks?: string };
};

export type Withdrawing = {
  line: LineFacts;
  at: number;
  reason: WithdrawnReason;
  /** Not known yet while that delivery is on its way. */
  deliveryID?: string;
  handed?: Handed;
  /** Undefined: not known yet. */
  channels?: ChannelName[];
  answer?: Answer;
};

/** An answer that was handed to the host. `by`: where from, and what: "banner: once". `word`: the host's. */
export type Answer = { id: string; by: string; givenAt: number; word: "awaited" | "taken" | "refused" | "none" };

export const newState = (at: { now: number; wall: number }, startedAt = at.wall): State => ({
  version: stateVersion,
  startedAt: Math.min(startedAt, at.wall),
  clockOffset: at.wall - at.now,
  sessions: new Map(),
  children: new Map(),
  alerts: new Map(),
  agenda: emptyAgenda(),
  lookUps: new Map(),
  deliveries: new Map(),
  withdrawals: new Map(),
  summarised: [],
  heard: new Set(),
  deleted: new Set(),
  serial: 0,
});

export const newSession = (id: string, heardAt: number): Session => ({
  id,
  parentID: undefined,
  title: undefined,
  directory: undefined,
  turn: resting,
  requests: [],
  launched: false,
  heardAt,
  endedAt: undefined,
  nextTrigger: undefined,
  promptID: undefined,
  userMessageID: undefined,
  unread: undefined,
  calls: undefined,
  toldCalls: undefined,
});

export function nextID(state: State, what: string): string {
  state.serial += 1;
  return `${what}#${state.serial}`;
}

/** The newest `most` of a set that is filled in order. */
export function addNewest(ids: Set<string>, id: string, most: number): void {
  ids.add(id);
  if (ids.size <= most) return;
  for (const oldest of ids) {
    ids.delete(oldest);
    return;
  }
}
