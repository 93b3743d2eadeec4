import type { Clock } from "../../src/shared/clock.ts";
import type { Location } from "./event.ts";
import type { MakeID } from "./ids.ts";
import type { Publisher } from "./publisher.ts";
import { type InboxItem, noTokens, type SessionInfo, type SessionMessage } from "./records.ts";

/** A session of this process: what `session.get` and `session.context` answer from, and what its engine works on. */
export type Session = {
  id: string;
  info: SessionInfo;
  messages: SessionMessage[];
  /** Enqueued, neither delivered nor cancelled (§4.2). */
  inbox: { id: string; item: InboxItem }[];
  /** Actions whose permission is asked for; everything else is allowed. */
  asks: ReadonlySet<string>;
  /** Actions a rule forbids: nothing is asked (§4.4). */
  denies: ReadonlySet<string>;
  deleted: boolean;
  /** Wall clock of its last event: the sweeper's measure of progress (§2.5). */
  lastEventAt: number;
  nextSeq(): number;
  location: Location;
};

export type NewSession = {
  id?: string;
  title?: string;
  agent?: string;
  location: Location;
  parentID?: string;
  asks?: Iterable<string>;
  denies?: Iterable<string>;
  metadata?: Record<string, unknown>;
};

export type SessionDeps = { clock: Clock; id: MakeID; publisher: Publisher; version: string };

const slugs = ["kind-nebula", "misty-river", "quick-lagoon", "swift-wolf"];

/** The host's title before anybody renamed the session (fixtures). */
export const defaultTitle = (wall: number): string => `New session - ${new Date(wall).toISOString()}`;

/** §5.1. Emits nothing: `session.created` is the caller's to send. */
export function createSession(deps: SessionDeps, from: NewSession): Session {
  const now = deps.clock.wall();
  const id = from.id ?? deps.id("ses");
  let seq = 0;
  const info: SessionInfo = {
    id,
    projectID: "fc4ae25ac6bc602ccdbde010e00f67dfb268b8aa",
    title: from.title ?? defaultTitle(now),
    slug: slugs[id.length % slugs.length] ?? "kind-nebula",
    version: deps.version,
    ...(from.parentID === undefined ? {} : { parentID: from.parentID }),
    location: { ...from.location },
    ...(from.agent === undefined ? {} : { agent: from.agent }),
    ...(from.metadata === undefined ? {} : { metadata: from.metadata }),
    cost: 0,
    tokens: noTokens,
    time: { created: now, updated: now },
  };
  return {
    id,
    info,
    messages: [],
    inbox: [],
    asks: new Set(from.asks),
    denies: new Set(from.denies),
    deleted: false,
    lastEventAt: now,
    nextSeq: () => seq++,
    get location() {
      return info.location;
    },
  };
}

/** §4.5, the flat form; the publisher nests it where the alpha did. */
export function createdData({ info }: Session): Record<string, unknown> {
  const { id, time: _time, cost: _cost, tokens: _tokens, fork: _fork, ...rest } = info;
  return { sessionID: id, ...rest };
}

/** §3.1: the messages since the last compaction, oldest first, the compaction included. */
export function contextOf(session: Session): SessionMessage[] {
  const from = session.messages.findLastIndex(({ type }) => type === "compaction");
  return structuredClone(session.messages.slice(Math.max(from, 0)));
}
