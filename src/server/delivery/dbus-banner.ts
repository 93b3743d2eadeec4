import type { Clock } from "../../shared/clock.ts";
import { unattended } from "../../shared/guard.ts";
import { within } from "../../shared/within.ts";
import { actionsFor, notifyBody } from "./banner-request.ts";
import type { Delivery, Note, NoteEvent, Outlet, Up } from "./channel.ts";
import { createDaemonLink, type Daemon, type DaemonEvent } from "./notification-daemon.ts";
import type { BusFailure, OpenBus } from "./session-bus.ts";
import { createShownNotes } from "./shown-notes.ts";

export type DbusBannerParts = {
  openBus: OpenBus;
  /** Socket paths of the session bus, in order. */
  paths: readonly string[];
  clock: Clock;
  /** Without an answer for so long it is a timeout, ms. */
  deadlineMs?: number;
  onNote?: (event: NoteEvent) => void;
};

const name = "dbus";
const closedWhy = { 1: "expired", 2: "dismissed", 3: "closed" } as const;

/**
 * The desktop's notification daemon over the session bus: replaces, takes back, hears clicks. A banner that a slow
 * daemon shows after the deadline can still be taken back.
 */
export function createDbusBanner(parts: DbusBannerParts): Outlet {
  const deadlineMs = parts.deadlineMs ?? 2_000;
  const shown = createShownNotes();
  let owner: string | undefined;
  let adopted = Promise.resolve();
  const daemonLink = createDaemonLink({
    ...parts,
    deadlineMs,
    on(event) {
      if (event.type === "restarted") forgetAll();
      else tell(event);
    },
  });

  /** What a daemon showed ends with it. */
  function forgetAll() {
    const gone = shown.all();
    shown.forgetAll();
    for (const { key, sessionID } of gone) parts.onNote?.({ type: "closed", key, sessionID, why: "unknown" });
  }

  function tell(event: Exclude<DaemonEvent, { type: "restarted" }>) {
    const note = shown.byID(event.id);
    if (!note) return; // not ours
    const { key, sessionID } = note;
    if (event.type === "action") {
      if (!note.offered.includes(event.action)) return; // whoever pressed that, it was not on this banner
      const token = event.token === undefined ? {} : { token: event.token };
      parts.onNote?.({ type: "action", key, sessionID, action: event.action, ...token });
      return;
    }
    shown.forget(note);
    const why = event.reason === 1 || event.reason === 2 || event.reason === 3 ? closedWhy[event.reason] : "unknown";
    parts.onNote?.({ type: "closed", key, sessionID, why });
  }

  /** `progress` tells the deadline whether the bus was reached: from there on the daemon is to blame. */
  async function deliver(note: Note, ticket: { recalled: boolean }, progress: { reached: boolean }): Promise<Delivery> {
    await adopted;
    const daemon = await daemonLink.reach();
    if (!daemon.ok) return failed(daemon.error);
    progress.reached = true;
    const capabilities = await daemon.value.capabilities();
    owner = daemon.value.owner();
    if (!capabilities.ok) return failed(capabilities.error);
    if (ticket.recalled) return { ok: false, outlet: name, reason: "dropped" };
    const id = await daemon.value.notify(notifyBody(note, capabilities.value, shown.idOf(note.key)));
    if (!id.ok) return { ...failed(id.error), ...(id.error.kind === "refused" ? { final: true } : {}) };
    const wanted = actionsFor(note, capabilities.value).map(({ key }) => key);
    const offered = offeredBy(owner, daemon.value, wanted);
    shown.arrived(note, { id: id.value, offered, ticket });
    if (ticket.recalled && (await daemon.value.closeNotification(id.value)))
      return { ok: false, outlet: name, reason: "dropped" };
    return { ok: true, outlet: name, certainty: "accepted" };
  }

  /** Listens from now on. The numbers of another daemon process mean nothing. */
  async function goOnWith(up: readonly Up[]): Promise<void> {
    const daemon = await within(parts.clock, deadlineMs, daemonLink.reach());
    owner = daemon?.ok ? daemon.value.owner() : undefined;
    if (owner === undefined) return;
    for (const { key, sessionID, id, offered = [] } of up) {
      const [itsOwner, number] = id.split(" ");
      if (itsOwner === owner && !shown.idOf(key)) shown.adopt({ key, sessionID, id: Number(number), offered });
    }
  }

  return {
    name,
    send(note) {
      const progress = { reached: false };
      const ticket = shown.leaves(note.key);
      return new Promise((resolve) => {
        const delivered = deliver(note, ticket, progress);
        const late = () => resolve({ ...silent(deadlineMs, progress.reached), later: delivered });
        const cancel = parts.clock.after(deadlineMs, late);
        const settled = (delivery: Delivery) => {
          cancel();
          shown.settled(note.key, ticket);
          resolve(delivery);
        };
        // A bug in it is a failure now, not at the deadline.
        unattended(
          name,
          delivered.then(settled, (bug) => {
            settled({ ok: false, outlet: name, reason: "internal" });
            throw bug;
          }),
        );
      });
    },
    async withdraw(key) {
      await adopted;
      const id = shown.recall(key);
      if (id === undefined) return false;
      const close = async () => {
        const daemon = await daemonLink.reach();
        return daemon.ok && daemon.value.closeNotification(id);
      };
      return (await within(parts.clock, deadlineMs, close())) ?? false;
    },
    async replaces(key) {
      await adopted;
      return shown.idOf(key) !== undefined;
    },
    up: () => shown.all().map(({ id, ...note }) => ({ outlet: name, ...note, id: `${owner} ${id}` })),
    adopt(up) {
      adopted = goOnWith(up);
    },
    close: () => daemonLink.close(),
  };
}

/** Where another daemon took the name meanwhile nobody knows which of them shows it: nothing pressed there counts. */
const offeredBy = (owner: string | undefined, daemon: Daemon, wanted: readonly string[]): readonly string[] =>
  owner === undefined || daemon.owner() === owner ? wanted : [];

type Failed = Extract<Delivery, { ok: false }>;

const failed = ({ kind, detail }: BusFailure): Failed => ({ ok: false, outlet: name, reason: kind, detail });

const silent = (deadlineMs: number, reached: boolean): Failed => ({
  ok: false,
  outlet: name,
  reason: "timeout",
  detail: `${reached ? "the notification daemon" : "the bus"} did not answer within ${deadlineMs} ms`,
  ...(reached ? { final: true } : {}),
});
