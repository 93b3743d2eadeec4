/** §2.5: a directory, and the workspace when there is one. The pair is the key. */
export type Location = { directory: string; workspaceID?: string | undefined };

export const locationKey = (location: Location): string => `${location.directory}\u0000${location.workspaceID ?? ""}`;

/** §4.1, the envelope. `data`, not `properties`. */
export type HostEvent = {
  id: string;
  created: number;
  type: string;
  data: Record<string, unknown>;
  location?: Location;
  durable?: { aggregateID: string; seq: number; version: number };
  metadata?: Record<string, unknown>;
};

/** §4.1, second column of the table: seen without a location. */
const unlocated = /^session\.(execution\..+|usage\.updated)$|^permission\.replied$/;

/** §4.1: not stored, so without `durable`. Everything else under `session.` is durable. */
const ephemeral = /\.delta$|^session\.(tool\.progress|usage\.updated|status|idle)$/;

/**
 * §4.1 says not to hard-code the table, so a test may turn it: `always` puts a location on every event that has a
 * session, `never` takes it from all.
 */
export type LocationHabit = "observed" | "always" | "never";

export function carriesLocation(type: string, habit: LocationHabit): boolean {
  return habit === "observed" ? !unlocated.test(type) : habit === "always";
}

export const isDurable = (type: string): boolean => type.startsWith("session.") && !ephemeral.test(type);
