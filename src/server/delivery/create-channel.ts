import type { Clock } from "../../shared/clock.ts";
import { unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { ChannelName } from "../core/decision.ts";
import type { Channel, Delivery, DeliveryFailure, Note, Outlet, Up } from "./channel.ts";
import { cleanNote } from "./clean-note.ts";
import { createEnding } from "./ending.ts";
import { createLanes } from "./lanes.ts";
import { createRest } from "./outlet-rest.ts";
import { createTickets, type Ticket } from "./tickets.ts";
import { tryOutlet } from "./try-outlet.ts";

type Failed = Extract<Delivery, { ok: false }>;
type Station = { outlet: Outlet; rest: ReturnType<typeof createRest> };

export type ChannelParts = {
  name: ChannelName;
  outlets: readonly Outlet[];
  /** For each outlet, ms. */
  deadlineMs: number;
  clock: Clock;
  log: Log;
  playsSound?: boolean;
  /** What the channel before this one had up. */
  adopted?: readonly Up[];
};

/** Keys whose holder is remembered: a banner older than that many others is not taken back. */
const mostHeld = 1_000;
const telling: readonly DeliveryFailure[] = ["internal", "refused", "lost", "timeout", "dropped", "unavailable"];

/**
 * One channel over outlets in order of preference. An outlet that failed rests; one that rests is tried last,
 * and not at all when it hung. Sends and withdrawals of one key happen in the order they were asked for.
 */
export function createChannel(parts: ChannelParts): Channel {
  const stations = parts.outlets.map((outlet): Station => ({ outlet, rest: createRest(parts.clock) }));
  const holders = new Map<string, Set<Outlet>>();
  const lanes = createLanes();
  const tickets = createTickets();
  const logOnce = createLogOnce(parts.name, parts.log);
  const closing = createEnding();

  const hold = (key: string, outlet: Outlet) => {
    const held = holders.get(key) ?? new Set();
    holders.delete(key); // the newest key goes to the end
    holders.set(key, held.add(outlet));
    const [oldest] = holders.keys();
    if (holders.size > mostHeld && oldest !== undefined) holders.delete(oldest);
  };
  const takeBack = (key: string, except?: Outlet) => {
    const held = [...(holders.get(key) ?? [])].filter((outlet) => outlet !== except);
    if (except) for (const outlet of held) holders.get(key)?.delete(outlet);
    else holders.delete(key);
    return Promise.all(held.map((outlet) => withdrawQuietly(outlet, key)));
  };

  for (const { outlet } of stations) {
    const own = (parts.adopted ?? []).filter((up) => up.outlet === outlet.name);
    for (const { key } of own) hold(key, outlet);
    if (own.length > 0) outlet.adopt?.(own);
  }

  async function attempt({ outlet, rest }: Station, note: Note): Promise<Delivery> {
    hold(note.key, outlet); // already now: a withdrawal may come while it is on its way
    const delivery = await tryOutlet(outlet, note, { ...parts, closing });
    if (delivery.ok) rest.succeeded();
    else if (!closing.hasEnded() && delivery.reason !== "dropped") {
      rest.failed(delivery.reason);
      logOnce(delivery);
      if (delivery.later !== undefined) unattended(parts.name, restBy(delivery.later, rest));
    }
    return delivery;
  }

  /** What came of it after all. */
  async function restBy(later: Promise<Delivery>, rest: Station["rest"]): Promise<void> {
    const after = await later;
    if (after.ok || after.reason === "dropped") rest.succeeded();
    else rest.failed(after.reason);
  }

  async function send(note: Note, ticket: Ticket): Promise<Delivery> {
    const delivery = await sendInOrder(note, ticket);
    if (!ticket.recalled) return delivery;
    return delivery.ok ? { ...delivery, recalled: true } : { ok: false, outlet: parts.name, reason: "dropped" };
  }

  async function sendInOrder(note: Note, ticket: Ticket): Promise<Delivery> {
    const failures: Failed[] = [];
    const fit = stations.filter(({ outlet }) => outlet.takes?.(note) ?? true);
    for (const station of inOrder(fit)) {
      if (closing.hasEnded() || ticket.recalled) break;
      const delivery = await attempt(station, note);
      if (delivery.ok) {
        await takeBack(note.key, station.outlet);
        return delivery;
      }
      failures.push(delivery);
      if (delivery.final || delivery.reason === "dropped") break;
    }
    return mostTelling(parts.name, [...failures, ...resting(fit, failures)]);
  }

  async function update(note: Note): Promise<boolean> {
    for (const station of stations) {
      const isUp = holders.get(note.key)?.has(station.outlet) && (await station.outlet.replaces?.(note.key));
      if (isUp) return (await attempt(station, note)).ok;
    }
    return false;
  }

  return {
    name: parts.name,
    ...(parts.playsSound ? { playsSound: true } : {}),
    send: (note) => tickets.during(note.key, (ticket) => lanes.run(note.key, () => send(cleanNote(note), ticket))),
    update: (note) => lanes.run(note.key, () => update(cleanNote(note))),
    async withdraw(key) {
      tickets.recall(key);
      // At once, for what is being spoken or is on its way; and when that has arrived. A later note of the key waits.
      const now = lanes.isBusy(key) ? [...(holders.get(key) ?? [])].map((outlet) => withdrawQuietly(outlet, key)) : [];
      const later = await lanes.run(key, () => takeBack(key));
      return [...(await Promise.all(now)), ...later].includes(true);
    },
    up: () => stations.flatMap(({ outlet }) => outlet.up?.() ?? []),
    async close() {
      closing.end();
      await Promise.all(stations.map(({ outlet }) => outlet.close?.().catch(() => {})));
    },
  };
}

/** Those in good order first; then, as the last resort, those that rest, unless they hung. */
const inOrder = (stations: readonly Station[]): Station[] => [
  ...stations.filter(({ rest }) => !rest.isResting()),
  ...stations.filter(({ rest }) => rest.isResting() && rest.reason() !== "timeout"),
];

const resting = (stations: readonly Station[], tried: readonly Failed[]): Failed[] =>
  stations
    .filter(({ outlet, rest }) => rest.isResting() && !tried.some((failed) => failed.outlet === outlet.name))
    .map(({ outlet, rest }) => ({ ok: false, outlet: outlet.name, reason: rest.reason(), detail: "rests" }));

function mostTelling(channel: string, failures: readonly Failed[]): Failed {
  const [first] = [...failures].sort((a, b) => telling.indexOf(a.reason) - telling.indexOf(b.reason));
  return first ?? { ok: false, outlet: channel, reason: "unavailable", detail: "nothing to deliver it with" };
}

const withdrawQuietly = async (outlet: Outlet, key: string): Promise<boolean> => {
  try {
    return (await outlet.withdraw?.(key)) ?? false;
  } catch {
    return false; // an outlet must not throw; one that does has nothing to take back
  }
};

function createLogOnce(channel: ChannelName, log: Log) {
  const said = new Set<string>();
  return ({ outlet, reason, detail }: Failed) => {
    if (said.has(`${outlet} ${reason}`)) return;
    said.add(`${outlet} ${reason}`);
    log(`${channel}: ${outlet} ${reason}${detail ? ` (${detail})` : ""}; said once, it rests for a while`);
  };
}
