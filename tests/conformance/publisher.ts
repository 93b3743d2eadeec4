import type { Clock } from "../../src/shared/clock.ts";
import { alphaSpelling, nestedCreated } from "./alpha-spelling.ts";
import { carriesLocation, type HostEvent, isDurable, type Location, type LocationHabit } from "./event.ts";
import type { MakeID } from "./ids.ts";

/** What an event is about: a session, or a location alone, or neither. */
export type Subject = { location?: Location; session?: { id: string; location: Location; nextSeq(): number } };

export type PublisherOptions = {
  clock: Clock;
  id: MakeID;
  /** `alpha`: the July names (§4.1, alpha-only). */
  spelling: "2.x" | "alpha";
  locations: LocationHabit;
  /** §4.5: how `session.created` is laid out. */
  created: "flat" | "nested";
};

/** Handed-out events are shared by all subscribers: a plugin that writes into one must fail here. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}

/** Builds the envelope of §4.1 and hands the event to everybody, in emit order. */
export function createPublisher(options: PublisherOptions) {
  const listeners = new Set<(event: HostEvent) => void>();
  let muted = false;

  function locationOf(type: string, { location, session }: Subject): Location | undefined {
    const place = location ?? session?.location;
    // The alpha sent the location with `permission.v2.replied` (fixtures/opencode-2-alpha).
    const exception = options.spelling === "alpha" && options.locations === "observed" && type === "permission.replied";
    return exception || carriesLocation(type, options.locations) ? place : undefined;
  }

  function deliver(event: HostEvent): HostEvent {
    const spelled = freeze(options.spelling === "alpha" ? alphaSpelling(event) : event);
    if (!muted) for (const listener of [...listeners]) listener(spelled);
    return spelled;
  }

  return {
    emit(type: string, data: Record<string, unknown>, subject: Subject = {}): HostEvent {
      const location = locationOf(type, subject);
      const seq = subject.session !== undefined && isDurable(type) ? subject.session.nextSeq() : undefined;
      const nested = type === "session.created" && options.created === "nested" && options.spelling === "2.x";
      return deliver({
        id: options.id("evt"),
        created: options.clock.wall(),
        type,
        data: structuredClone(nested ? nestedCreated(data) : data),
        ...(location === undefined ? {} : { location: { ...location } }),
        ...(seq === undefined || subject.session === undefined
          ? {}
          : { durable: { aggregateID: subject.session.id, seq, version: 1 } }),
      });
    },
    /** Sends an event exactly as given, for what only a test would send (duplicates, old or foreign events). */
    raw: (event: HostEvent) => deliver(structuredClone(event)),
    /** Nobody hears anything until the returned function is called. */
    mute() {
      muted = true;
      return () => {
        muted = false;
      };
    },
    listen(listener: (event: HostEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Publisher = ReturnType<typeof createPublisher>;
