import type { Config } from "../config/schema.ts";
import type { Presence } from "../focus/presence.ts";
import type { Effect } from "./effect.ts";
import type { State } from "./state.ts";
import type { Wording } from "./wording/wording.ts";

/** What a step reads of the world: one snapshot, taken once an input, so that one decision sees one configuration. */
export type Environment = {
  /** Monotonic ms. */
  readonly now: number;
  /** Epoch ms. */
  readonly wall: number;
  readonly timeZone?: string | undefined;
  readonly config: Config;
  readonly wording: Wording;
  readonly presence: Presence;
  /** Epoch ms until which alerts are muted. */
  readonly mutedUntil: number | undefined;
  /** The folder named when a session's own is not known. */
  readonly directory?: string | undefined;
  /** What the edges can do. */
  readonly can: Abilities;
};

export type Abilities = {
  /** There is a desktop that can say whether it is locked. */
  askScreen: boolean;
  /** Answer a permission through the host. */
  answer: boolean;
  /** Bring a session in front of the person. */
  goTo: boolean;
  /** Hand a banner to a program that outlives this process. */
  detach: boolean;
};

/** One step on its way: what it changes, what it reads, what it wants done. */
export type Step = {
  readonly state: State;
  readonly env: Environment;
  readonly effects: Effect[];
  /** The host of these sessions ends: no question is asked any more. */
  readonly ending: boolean;
  /** How many events of a host's message are done with. */
  heard: number;
};

/** When the plugin started, epoch ms, by what the wall clock says now: one that is set back takes the start along. */
export const beginning = ({ state, env }: Step): number =>
  state.startedAt + Math.min(0, env.wall - env.now - state.clockOffset);
