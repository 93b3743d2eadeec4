import type { Log } from "../../shared/log.ts";

/** `mute.json` as it stands now. `until`: wall clock, epoch ms; may lie in the past. */
export type MuteFile = { kind: "none" } | { kind: "until"; until: number } | { kind: "unreadable"; why: string };

export type MuteReader = {
  /** As of the last look. */
  until(): number | undefined;
  take(file: MuteFile): void;
};

/** A file that cannot be read mutes nothing: a missed alert is worse than a spare one. */
export function createMuteReader({ log }: { log: Log }): MuteReader {
  let until: number | undefined;
  let reported: string | undefined;
  return {
    until: () => until,
    take(file) {
      const problem = file.kind === "unreadable" ? file.why : undefined;
      if (problem !== undefined && problem !== reported) log(`mute ignored: ${problem}`);
      reported = problem;
      until = file.kind === "until" ? file.until : undefined;
    },
  };
}
