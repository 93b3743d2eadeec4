import { nanoid } from "nanoid/non-secure";
import { atExit } from "../../shared/at-exit.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { answering, guarded, promising } from "../../shared/guard.ts";
import type { SettingChange } from "../config/save.ts";
import type { HostEvent } from "../core/event.ts";
import type { Input } from "../core/input.ts";
import type { State } from "../core/state.ts";
import { stateVersion } from "../core/state.ts";
import type { StillUp } from "../delivery/channel.ts";
import type { NotifyOutcome, NotifyRequest } from "../delivery/notify.ts";
import type { RpcReports } from "../focus/rpc-reports.ts";
import type { HostQueries } from "./host.ts";
import type { RawInput } from "./raw-input.ts";
import type { StatusReport } from "./status.ts";

/** Another version's group is another group: neither reads the other's state. Goes up with what is shared here. */
const groupVersion = 5;
const place = Symbol.for(`opencode-beckon.instances.${groupVersion}.${stateVersion}`);

/** How long the state of a process without any instance is kept for the next one: a hot reload, ms. */
const keepMs = 5_000;

/** One copy of this code. A reload loads another one, which then takes over. */
const generation = nanoid();

/** What one runtime leaves to the next: all it knows, and what its channels show. */
export type Left = { state: State; up: StillUp };

/** What runs for the whole process. */
export type Runtime = {
  receive(event: HostEvent): void;
  dispatch(input: Input): void;
  /** Decides at once what waits in a settle window of these sessions. */
  settle(sessionIDs: readonly string[]): void;
  flush(): Promise<void>;
  /** Stops everything and hands over what it knows. `last`: to nobody as yet, so what is being spoken is cut. */
  stop(how: { last: boolean }): Left;
  /** Nobody has taken over: what waited gets its lines. */
  conclude(state: State): void;
  notify(request: NotifyRequest): Promise<NotifyOutcome>;
  /** The model changed settings: written down, and told to the person. */
  changedByModel(changes: readonly SettingChange[], sessionID: string): void;
  /** What a host told, raw, for `beckon record`. */
  overhear(raw: RawInput, event?: HostEvent): void;
  status(): Promise<StatusReport>;
  /** What attached terminals report by plugin call (2.x). */
  reports: RpcReports;
  state: State;
  /** Something that should not have happened, for the log file. */
  problem(what: unknown): void;
};

/** Questions to whichever instance knows the session. */
export type Queries = { host: HostQueries; directories(): string[] };

/** What a new runtime begins with. `results`: where what was set off by one runtime comes back to, whoever decides by then. */
export type Beginning = { left: Left | undefined; queries: Queries; results: (input: Input) => void };

/** One plugin instance: on 1.18 a directory's, on 2.x a location's. */
export type Instance = {
  id: string;
  directory: string;
  queries: HostQueries;
  /** Called when the process has no runtime of this code yet. */
  start(beginning: Beginning): Runtime;
};

type Member = Instance & { generation: string };

type InstanceGroup = {
  members: Member[];
  /** Whose code runs. */
  leader?: Member;
  runtime?: Runtime;
  /** Which instance a session was heard through. */
  sources: Map<string, string>;
  /** Nobody is there: what is on its way comes back to the runtime that was the last. */
  kept?: { left: Left; runtime: Runtime; notes: Input[]; take(): void };
};

export type Registration = {
  /** Heard through every instance; the first one counts. */
  receive(event: HostEvent): void;
  runtime(): Runtime | undefined;
  isLeader(): boolean;
  /** Ends this instance's part. Idempotent. `settle`: its host ends, so what waits of its sessions is decided now. */
  leave(how: { settle: boolean }): Promise<void>;
};

/**
 * One decider for a process, however many instances a host makes of the plugin and however often it loads it: every
 * instance passes on what it hears, the newest code decides, and the whole state goes to it as one value.
 */
export function register(instance: Instance, home: object = globalThis, clock: Clock = systemClock): Registration {
  const group = find(home);
  const member: Member = { ...instance, generation };
  group.members.push(member);
  if (group.leader?.generation !== generation) lead(group, member);
  const pass = guarded("event", (event: HostEvent) => group.runtime?.receive(event));
  let left = false;

  return {
    receive(event) {
      if (left) return;
      if (!group.sources.has(event.sessionID)) group.sources.set(event.sessionID, member.id);
      pass(event);
      if (event.events.some(({ kind }) => kind === "deleted")) group.sources.delete(event.sessionID);
    },
    runtime: () => group.runtime,
    isLeader: () => group.leader === member,
    async leave({ settle }) {
      if (left) return;
      left = true;
      const { runtime } = group;
      const own = [...group.sources].filter(([, id]) => id === member.id).map(([sessionID]) => sessionID);
      if (settle) guarded("settle", () => runtime?.settle(own))();
      group.members.splice(group.members.indexOf(member), 1);
      for (const sessionID of own) group.sources.delete(sessionID);
      if (group.leader === member) follow(group, clock);
      await promising("flush", undefined, () => runtime?.flush())();
    },
  };
}

/** The leader left. One of the same code takes its place and nothing else changes; else another copy takes over. */
function follow(group: InstanceGroup, clock: Clock): void {
  const next = group.members.findLast((member) => member.generation === group.leader?.generation);
  if (next !== undefined) {
    group.leader = next;
    return;
  }
  const other = group.members.at(-1);
  if (other === undefined) keep(group, clock);
  else lead(group, other);
}

/**
 * That member's code decides from now on, with everything the one before it knew. Either may be of another copy of this
 * code, older or newer: what its bugs keep back is left behind, and the next one begins all the same.
 */
function lead(group: InstanceGroup, member: Member): void {
  const { runtime } = group;
  const stop = answering("an earlier instance", undefined, () => runtime?.stop({ last: false }));
  const left = stop() ?? group.kept?.left;
  const notes = group.kept?.notes ?? [];
  group.kept?.take();
  group.leader = member;
  delete group.runtime;
  const start = answering("start", undefined, (from: Left | undefined): Runtime | undefined =>
    member.start({
      left: from,
      queries: queriesOf(group),
      results: (input) => comeBack(group, input),
    }),
  );
  const started = start(left) ?? (left === undefined ? undefined : start(undefined));
  if (started === undefined) return;
  group.runtime = started;
  for (const note of notes) guarded("note", () => started.dispatch(note))();
}

/** What became of something goes to whoever decides by now; a button that was pressed meanwhile waits for the next one. */
function comeBack({ runtime, kept }: InstanceGroup, input: Input): void {
  if (runtime !== undefined) runtime.dispatch(input);
  else if (input.kind === "note") kept?.notes.push(input);
  else kept?.runtime.dispatch(input);
}

/** Nobody is left. When nobody comes for a while, or the process ends first, what waited is decided. */
function keep(group: InstanceGroup, clock: Clock): void {
  const { runtime } = group;
  delete group.leader;
  delete group.runtime;
  const stop = answering("an earlier instance", undefined, () => runtime?.stop({ last: true }));
  const left = stop();
  if (runtime === undefined || left === undefined) return;
  const take = (): void => {
    cancel();
    noExit();
    delete group.kept;
  };
  const conclude = (): void => {
    take();
    guarded("an earlier instance", () => runtime.conclude(left.state))();
  };
  const cancel = clock.after(keepMs, conclude);
  const noExit = atExit(conclude);
  group.kept = { left, runtime, notes: [], take };
}

function queriesOf(group: InstanceGroup): Queries {
  const memberFor = (sessionID: string): Member | undefined => {
    const source = group.sources.get(sessionID);
    return group.members.find(({ id }) => id === source) ?? group.members.at(-1);
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
    directories: () => [...new Set(group.members.map(({ directory }) => directory))],
  };
}

function find(home: object): InstanceGroup {
  const found: unknown = Reflect.get(home, place);
  if (isGroup(found)) return found;
  const group: InstanceGroup = { members: [], sources: new Map() };
  Object.defineProperty(home, place, { value: group, configurable: true, enumerable: false });
  return group;
}

/** Only our own code writes under this symbol, and the version is part of it: what is found has this shape. */
const isGroup = (found: unknown): found is InstanceGroup =>
  typeof found === "object" && found !== null && "members" in found && "sources" in found;
