import type { Config } from "../config/schema.ts";
import type { AlertKind, ChannelName } from "../core/decision.ts";

export type Urgency = "low" | "normal" | "critical";

/** A button on a banner. `default` is the click on the banner itself. */
export type NoteAction = { key: string; label: string };

/**
 * What a channel shows or speaks. Text is already cleaned and shortened; it is data, never a shell
 * string, markup, script source or escape bytes.
 * `key`: one live banner a key; sending again with the same key replaces it.
 */
export type Note = {
  key: string;
  kind: AlertKind | "notify";
  sessionID: string;
  title: string;
  body: string;
  urgency: Urgency;
  /** What voice says: label first. */
  spoken: string;
  voice?: string | null;
  /** What `spoken` is written in, a language such as `de`; absent = nobody knows. */
  language?: string;
  /** A name or file; null = the platform's own; absent = none. */
  sound?: string | null;
  actions?: readonly NoteAction[];
  /**
   * What may leave this machine: the project folder's name and the bare sentence. Push sends these unless its
   * target asks for more; without them it says no more than the kind.
   */
  away?: { title: string; body: string };
};

/**
 * What a person or the daemon did to a note that was shown. `default` is the click on the note itself;
 * `token` raises a window on Wayland. `from`: where, if not on a banner. Whoever tells an action has seen to it that
 * exactly this note offered it.
 */
export type NoteEvent =
  | { type: "action"; key: string; sessionID: string; action: string; token?: string; from?: "push" }
  | { type: "closed"; key: string; sessionID: string; why: "expired" | "dismissed" | "closed" | "unknown" };

/** How sure we may be: an accepted call is never "the person saw it". */
export type Certainty = "accepted" | "written" | "started";

export type DeliveryFailure =
  | "unavailable" // no program, no bus, nobody owns the name, unsupported platform
  | "refused" // the daemon or program answered with an error
  | "timeout"
  | "lost" // bus or child died meanwhile
  | "internal" // a bug of ours; the log has it
  | "dropped"; // no longer wanted before it left: withdrawn, or overtaken by a newer one. Nothing is wrong.

export type Delivery =
  | {
      ok: true;
      outlet: string;
      certainty: Certainty;
      /** Taken back before that was known: nothing is to follow it. */
      recalled?: true;
    }
  | {
      ok: false;
      outlet: string;
      reason: DeliveryFailure;
      detail?: string;
      /** The same daemon stands behind the channel's other outlets: they can do no better and might show it twice. */
      final?: true;
      /** Of one that hung: what it comes to after all. Whoever answers can be asked again. */
      later?: Promise<Delivery>;
    };

/**
 * What an outlet shows, as plain data, for the one that goes on after it. `id` means something to that outlet alone.
 * `offered`: the actions it has, by their keys.
 */
export type Up = { outlet: string; key: string; sessionID: string; id: string; offered?: readonly string[] };

/**
 * One concrete way to reach a person: a daemon, a program, an HTTP service.
 * Never throws, never rejects; `close` ends what it opened and is idempotent.
 */
export type Outlet = {
  readonly name: string;
  /** False: this note is not for this outlet, which is no failure of it. */
  takes?(note: Note): boolean;
  send(note: Note, signal: AbortSignal): Promise<Delivery>;
  /** Takes the banner of that key back: true when one was there and is gone now. What was heard stays heard. */
  withdraw?(key: string): Promise<boolean>;
  /** True while a banner of that key is up, as far as it can be known, and another one would take its place. */
  replaces?(key: string): Promise<boolean>;
  /** What it could still replace or take back. */
  up?(): Up[];
  /** Goes on with what the one before it had up. */
  adopt?(up: readonly Up[]): void;
  close?(): Promise<void>;
};

/**
 * What the pipeline sees: one of the five channels, with its own order of outlets, deadline and rest.
 * `send` resolves when the outcome is known (for voice: when it was spoken).
 */
export type Channel = {
  readonly name: ChannelName;
  /** This banner plays the note's sound itself: do not hand that note to the sound channel too. */
  readonly playsSound?: boolean;
  send(note: Note): Promise<Delivery>;
  /** Only changes what is up; true when it did. Nothing is shown anew. */
  update(note: Note): Promise<boolean>;
  /** True when something was taken back. */
  withdraw(key: string): Promise<boolean>;
  up(): Up[];
  close(): Promise<void>;
};

export type Channels = Partial<Record<ChannelName, Channel>>;

/** Everything of ours a person may still see, as plain data. */
export type StillUp = {
  channels: Partial<Record<ChannelName, readonly Up[]>>;
  away: SentAway;
};

/** What is on somebody's phone: what was sent by key, and the buttons that may still be pressed. */
export type SentAway = { pushed: readonly Pushed[]; waysBack: readonly WayBack[] };
export type Pushed = { key: string; targets: Config["alerts"]["push"] };

/** The buttons of a pushed message, and where a pressed one is heard of. Its topic and values are secrets. */
export type WayBack = {
  /** The request they answer. */
  requestID: string;
  key: string;
  sessionID: string;
  target: Extract<Config["alerts"]["push"][number], { type: "ntfy" }>;
  topic: string;
  buttons: readonly { value: string; action: string; label: string }[];
};
