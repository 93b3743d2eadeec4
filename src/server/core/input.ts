import type { NoteEvent } from "../delivery/channel.ts";
import type { ChannelName, Hidden } from "./decision.ts";
import type { HostEvent } from "./event.ts";
import type { MessageView } from "./message-history.ts";
import type { Handed } from "./state.ts";

/** What the host says about one session when asked. */
export type SessionFacts = { title?: string; parentID: string | null; directory?: string };

/** All that can happen. Plain data: a recorded list of inputs replays a life. */
export type Input =
  | { kind: "host"; event: HostEvent }
  /** The terminals' reports are others now. */
  | { kind: "presence" }
  /** The clock reached the earliest deadline. */
  | { kind: "due" }
  /** Undefined: not known, or no answer in time. */
  | { kind: "session-found"; lookUp: string; facts?: SessionFacts | "missing" }
  | { kind: "messages-found"; lookUp: string; messages?: readonly MessageView[] }
  | { kind: "screen-found"; lookUp: string; locked: boolean }
  /** A delivery arrived or failed. `hidden`: what keeps it from being seen. */
  | { kind: "sent"; delivery: string; handed: Handed; hidden: readonly Hidden[] }
  /** What was to be taken back or changed: the channels on which it was. */
  | { kind: "withdrawn"; withdrawal: string; channels: ChannelName[] }
  /** The host's word on an answer. `why`: it refused. */
  | { kind: "answered"; answer: string; taken: boolean }
  /** What a person or the daemon did to a note that was shown. */
  | { kind: "note"; event: NoteEvent }
  /** Another runtime goes on with this state: what was asked is asked again, and who looks may be told anew. */
  | { kind: "taken-over" }
  /** Their host ends: what waits is decided at once, with the facts at hand. `forGood`: no result comes back any more. */
  | { kind: "ending"; sessionIDs: readonly string[]; forGood?: true };
