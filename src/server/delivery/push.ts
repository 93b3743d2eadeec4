import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Delivery, Note, NoteEvent, SentAway } from "./channel.ts";
import { cleanNote } from "./clean-note.ts";
import type { Environment } from "./find-program.ts";
import { askStatus, type HttpRequest, type HttpWays } from "./http-client.ts";
import { createLanes } from "./lanes.ts";
import { type NtfyTarget, type PushTarget, pushRequest, withdrawalRequest } from "./push-request.ts";
import { createTickets, type Ticket } from "./tickets.ts";
import { createWaysBack } from "./ways-back.ts";

export type PushParts = {
  /** For its proxy variables. */
  env: Environment;
  clock: Clock;
  log: Log;
  /** For one try, ms. */
  deadlineMs?: number;
  /** A button was pressed on a phone. */
  onNote?: (event: NoteEvent) => void;
  /** Whether an answer through that target counts now. Without it: where it did when it was offered. */
  answersCount?(target: NtfyTarget): Promise<boolean>;
  /** What the one before it had sent, and was listening for. */
  adopted?: SentAway;
};

export type Push = {
  /** `asks`: the request that the note's actions answer, where the target can bring an answer back. */
  send(note: Note, target: PushTarget, asks?: string): Promise<Delivery>;
  /** Takes back what was sent for that key, wherever it was sent; true when a service did. */
  withdraw(key: string): Promise<boolean>;
  /** That request is open no more: no button answers it. */
  closed(requestID: string): void;
  /** Hears no more, and says what may still be taken back or pressed. */
  stop(): SentAway;
};

const retryAfterMs = 2_000;
const mostTries = 2;
/** Keys whose targets are remembered. */
const mostSent = 1_000;

type Answer = { ok: true } | { ok: false; reason: "refused" | "timeout" | "lost"; detail: string; again: boolean };

/** Messages that leave this machine. Neither address nor token is ever in a detail or a log line. */
export function createPush(parts: PushParts): Push {
  const { env, clock, log, deadlineMs = 10_000, onNote = () => {}, answersCount = async () => true, adopted } = parts;
  const sent = new Map<string, Map<string, PushTarget>>();
  for (const { key, targets } of adopted?.pushed ?? []) for (const target of targets) remember(key, target);
  const lanes = createLanes();
  const tickets = createTickets();
  const said = new Set<string>();
  const waysBack = createWaysBack({
    ...{ env, clock, log: logOnce, onNote, answersCount },
    adopted: adopted?.waysBack ?? [],
  });
  let stopped = false;
  const now = () => new Date(clock.wall()).toISOString();

  /** Undefined when it was taken back before it could leave. */
  async function request(what: HttpRequest, ticket: Ticket): Promise<Answer | undefined> {
    for (let tries = 1; !ticket.recalled; tries++) {
      const answer = await attempt(what, { env, clock, headMs: deadlineMs });
      if (answer.ok || !answer.again || tries === mostTries) return answer;
      await new Promise<void>((resolve) => clock.after(retryAfterMs, resolve));
    }
    return undefined;
  }

  async function send(dirty: Note, target: PushTarget, asks: string | undefined, ticket: Ticket): Promise<Delivery> {
    if (ticket.recalled) return { ok: false, outlet: target.type, reason: "dropped" };
    const note = cleanNote(dirty);
    remember(note.key, target);
    const offers = asks !== undefined && target.type === "ntfy" && !stopped;
    const wayBack = offers ? waysBack.offer(note, target, asks) : undefined;
    const answer = await request(pushRequest(note, target, now(), wayBack), ticket);
    if (answer === undefined) return { ok: false, outlet: target.type, reason: "dropped" };
    if (answer.ok) return { ok: true, outlet: target.type, certainty: "accepted" };
    if (answer.reason === "refused") {
      sent.get(note.key)?.delete(placeOf(target)); // nothing there to take back, or to press
      waysBack.close((way) => way === wayBack);
    }
    logOnce(`push: ${target.type} ${answer.reason} (${answer.detail})`);
    return { ok: false, outlet: target.type, reason: answer.reason, detail: answer.detail };
  }

  function remember(key: string, target: PushTarget) {
    const targets = sent.get(key) ?? new Map();
    sent.delete(key);
    sent.set(key, targets.set(placeOf(target), target));
    const [oldest] = sent.keys();
    if (sent.size > mostSent && oldest !== undefined) sent.delete(oldest);
  }

  function logOnce(line: string): void {
    if (said.has(line)) return;
    said.add(line);
    log(line);
  }

  return {
    // What goes to one place about one thing goes in order.
    send: (note, target, asks) =>
      tickets.during(note.key, (ticket) =>
        lanes.run(`${note.key} ${placeOf(target)}`, () => send(note, target, asks, ticket)),
      ),
    async withdraw(key) {
      tickets.recall(key);
      waysBack.close((way) => way.key === key);
      const targets = [...(sent.get(key)?.values() ?? [])];
      sent.delete(key);
      const takeBack = (target: PushTarget) =>
        attempt(withdrawalRequest(key, target, now()), { env, clock, headMs: deadlineMs });
      const answers = await Promise.all(
        targets.map((target) => lanes.run(`${key} ${placeOf(target)}`, () => takeBack(target))),
      );
      return answers.some(({ ok }) => ok);
    },
    closed: (requestID) => waysBack.close((way) => way.requestID === requestID),
    stop() {
      stopped = true;
      const pushed = [...sent].map(([key, targets]) => ({ key, targets: [...targets.values()] }));
      const handedOver = { pushed, waysBack: waysBack.all() };
      waysBack.close(() => true);
      return handedOver;
    },
  };
}

/** Redirects are not followed: neither message nor token goes where nobody sent it. */
async function attempt(request: HttpRequest, ways: HttpWays): Promise<Answer> {
  const answer = await askStatus(request, ways);
  if (!answer.ok) {
    const { kind, detail } = answer.error;
    if (kind === "timeout") return { ok: false, reason: "timeout", detail, again: false };
    if (kind === "broken") return { ok: false, reason: "lost", detail, again: false };
    return { ok: false, reason: "lost", detail: `no connection (${detail})`, again: true };
  }
  const status = answer.value;
  if (status >= 200 && status <= 299) return { ok: true };
  return { ok: false, reason: "refused", detail: `HTTP ${status}`, again: status === 429 || status >= 500 };
}

const placeOf = (target: PushTarget): string => `${target.url} ${target.type === "ntfy" ? target.topic : ""}`;
