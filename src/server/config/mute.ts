import type { Log } from "../../shared/log.ts";

/** `mute.json` as it stands now. `until`: wall clock, epoch ms; may lie in the past. */
export type MuteFile = { kind: "none" } | { kind: "until"; until: number } | { kind: "unreadable"; why: string };

export type MuteReader = { until(): number | undefined };

/** Asked at each delivery. A file that cannot be read mutes nothing: a missed alert is worse than a spare one. */
export function createMuteReader({ read, log }: { read: () => MuteFile; log: Log }): MuteReader {
  let reported: string | undefined;
  return {
    until() {
      const file = read();
      const problem = file.kind === "unreadable" ? file.why : undefined;
      if (problem !== undefined && problem !== reported) log(`mute ignored: ${problem}`);
      reported = problem;
      return file.kind === "until" ? file.until : undefined;
    },
  };
}
