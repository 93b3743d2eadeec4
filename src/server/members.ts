import { nanoid } from "nanoid/non-secure";
import { answering, guarded, promising } from "../shared/guard.ts";
import type { NotifyOutcome, NotifyRequest } from "./alerts/notify.ts";
import type { SettingChange } from "./config/save.ts";
import type { EngineState } from "./engine.ts";
import type { RpcReports } from "./focus/rpc-reports.ts";
import type { HostEvent } from "./session/event.ts";
import type { Overheard } from "./session/overheard.ts";
import type { Records } from "./session/records.ts";
import type { HostQueries } from "./session/registry.ts";
import type { StatusReport } from "./status.ts";

/** Goes up whenever the shape of `Household` or of what is handed over changes. */
const version = 4;
const place = Symbol.for(`opencode-beckon.members.${version}`);

/** How long the state of a process without any instance is kept for the next one: a hot reload, ms. */
const keepMs = 5_000;

/** One copy of this module. A reload loads another one, which then takes over. */
const generation = nanoid();

/** What runs for the whole process while its owner lives. */
export type Running = {
  receive(event: HostEvent): void;
  /** Decides at once what waits in a settle window of these sessions. */
  settle(concerns: (sessionID: string) => boolean): void;
  flush(): Promise<void>;
  /** Stops everything and hands its state over. `last`: to nobody as yet, so what is being spoken is cut. */
  stop(how: { last: boolean }): EngineState;
  /** Nobody has taken over: after so many ms, or when the process ends, what waited gets its lines. Gives back its end. */
  keep(state: EngineState, ms: number, forgotten: () => void): () => void;
  notify(request: NotifyRequest): Promise<NotifyOutcome>;
  /** The model changed settings: written down, and told to the person. */
  changedByModel(changes: readonly SettingChange[], sessionID: string): void;
  /** What a host told, raw, for `beckon record`. */
  overhear(raw: Overheard, event?: HostEvent): void;
  status(): Promise<StatusReport>;
  /** What attached terminals report by plugin call (2.x). */
  reports: RpcReports;
  records: Records;
  /** Something that should not have happened, for the log file. */
  problem(what: unknown): void;
};

/** One plugin instance: on 1.18 a directory's, on 2.x a location's. */
export type Member = {
  id: string;
  directory: string;
  queries: HostQueries;
  /** Called when it becomes the one that decides. */
  start(state: EngineState | undefined, household: Queries): Running;
};

/** Questions to whichever member knows the session. */
export type Queries = { host: HostQueries; directories(): string[] };

type Seat = Member & { generation: string };

type Household = {
  seats: Seat[];
  owner?: Seat;
  running?: Running;
  /** Which member a session was heard through. */
  sources: Map<string, string>;
  kept?: { state: EngineState; taken(): void };
};

export type Membership = {
  /** Heard through every member; the first one counts. */
  receive(event: HostEvent): void;
  running(): Running | undefined;
  isOwner(): boolean;
  /** Ends this membership; the next one takes over at once. Idempotent. */
  leave(how: { settle: boolean }): Promise<void>;
};

/**
 * One decider for a process, however many instances a host makes of the plugin and however often it loads it: every
 * member hears every event and passes it on, the owner decides, and its state goes to whoever comes next.
 */
export function join(member: Member, home: object = globalThis): Membership {
  const household = find(home);
  const seat: Seat = { ...member, generation };
  household.seats.push(seat);
  if (household.owner === undefined || household.owner.generation !== generation) seatOwner(household, seat);
  const pass = guarded("event", (event: HostEvent) => household.running?.receive(event));
  let left = false;

  return {
    receive(event) {
      if (left) return;
      if (!household.sources.has(event.sessionID)) household.sources.set(event.sessionID, seat.id);
      pass(event);
      if (event.events.some(({ kind }) => kind === "deleted")) household.sources.delete(event.sessionID);
    },
    running: () => household.running,
    isOwner: () => household.owner === seat,
    async leave({ settle }) {
      if (left) return;
      left = true;
      const { running } = household;
      const isOurs = (sessionID: string): boolean => household.sources.get(sessionID) === seat.id;
      if (settle) guarded("settle", () => running?.settle(isOurs))();
      household.seats.splice(household.seats.indexOf(seat), 1);
      for (const [sessionID, id] of household.sources) if (id === seat.id) household.sources.delete(sessionID);
      if (household.owner === seat) seatOwner(household, household.seats.at(-1));
      await promising("flush", undefined, () => running?.flush())();
    },
  };
}

/**
 * The state goes from the old owner to the new one; without a new one it is kept for a while. Any of them may be of another
 * copy of this code, older or newer: what its bugs keep back is left behind, and the next owner begins all the same.
 */
function seatOwner(household: Household, next: Seat | undefined): void {
  const { running, kept } = household;
  const stopped = answering("an earlier instance", undefined, () => running?.stop({ last: next === undefined }));
  const state = stopped() ?? kept?.state;
  guarded("an earlier instance", () => kept?.taken())();
  delete household.kept;
  if (next === undefined) {
    delete household.owner;
    delete household.running;
    if (running === undefined || state === undefined) return;
    const forgotten = () => void delete household.kept;
    const keep = answering("an earlier instance", undefined, () => running.keep(state, keepMs, forgotten));
    const taken = keep();
    if (taken !== undefined) household.kept = { state, taken };
    return;
  }
  household.owner = next;
  const start = answering("start", undefined, (from: EngineState | undefined): Running | undefined =>
    next.start(from, queriesOf(household)),
  );
  const started = start(state) ?? (state === undefined ? undefined : start(undefined));
  delete household.running;
  if (started !== undefined) household.running = started;
}

function queriesOf(household: Household): Queries {
  const memberFor = (sessionID: string): Seat | undefined => {
    const source = household.sources.get(sessionID);
    return household.seats.find(({ id }) => id === source) ?? household.seats.at(-1);
  };
  const ask = <T>(sessionID: string, question: (host: HostQueries) => Promise<T>): Promise<T> => {
    const member = memberFor(sessionID);
    return member === undefined ? Promise.reject(new Error("no instance to ask")) : question(member.queries);
  };
  return {
    host: {
      session: (sessionID) => ask(sessionID, (host) => host.session(sessionID)),
      messages: (sessionID) => ask(sessionID, (host) => host.messages(sessionID)),
      answer: (sessionID, requestID, decision) =>
        ask(sessionID, async (host) => {
          if (host.answer === undefined) throw new Error("this host has no way to answer");
          await host.answer(sessionID, requestID, decision);
        }),
    },
    directories: () => [...new Set(household.seats.map(({ directory }) => directory))],
  };
}

function find(home: object): Household {
  const found: unknown = Reflect.get(home, place);
  if (isHousehold(found)) return found;
  const household: Household = { seats: [], sources: new Map() };
  Object.defineProperty(home, place, { value: household, configurable: true, enumerable: false });
  return household;
}

/** Only our own code writes under this symbol, and the version is part of it: what is found has this shape. */
const isHousehold = (found: unknown): found is Household =>
  typeof found === "object" && found !== null && "seats" in found && "sources" in found;
