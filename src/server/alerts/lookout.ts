import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../config/schema.ts";
import { type Attendance, attendance, type Looking, type Presence } from "../focus/presence.ts";
import type { Call } from "./call.ts";
import { suppresses } from "./gate.ts";

export type LookoutDeps = {
  clock: Clock;
  config(): Config;
  presence(): Presence;
  /** The root a session on somebody's screen belongs to. */
  rootOf(sessionID: string): string;
};

export type Lookout = ReturnType<typeof createLookout>;

/** Who looks at what an alert is about: its session, for a pause any session of the family (product.md 15). */
export function createLookout({ clock, config, presence, rootOf }: LookoutDeps) {
  const matcher = (call: Call): Looking["matches"] => {
    const rootID = rootOf(call.sessionID);
    const family = call.alert.kind === "pause";
    return (sessionID, viewRootID) =>
      sessionID === call.sessionID || (family && (viewRootID === rootID || rootOf(sessionID) === rootID));
  };

  return {
    /** Undefined too where looking at a session is to hold nothing of this kind back. */
    attended(call: Call): Attendance | undefined {
      const { alerts } = config();
      if (!suppresses(call.alert.kind, alerts)) return undefined;
      const { idleSeconds } = alerts.focus;
      return attendance(presence(), { idleSeconds, matches: matcher(call) }, { now: clock.now(), wall: clock.wall() });
    },
    /** A sign of life from a terminal that shows it, since it was held back. */
    lifeSince(call: Call): boolean {
      const matches = matcher(call);
      return [...presence().values()].some(
        ({ report: { view, idleMs }, reportedAt }) =>
          view.type === "session" && matches(view.sessionID, view.rootID) && reportedAt.now - idleMs > call.since,
      );
    },
  };
}
