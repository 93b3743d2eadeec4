import type { JournalLine } from "../../scenarios/host-under-test.ts";
import { inWords } from "../../scenarios/scenario.ts";
import type { RealHost } from "../host/real-host.ts";
import type { Table } from "./table.ts";

/** What a story can do: let opencode do something, say so, and wait for beckon's decision about it. */
export type Stage = {
  host: RealHost;
  /** Says what opencode does, and nothing is to be decided about it. */
  says(text: string): void;
  /** The end of the story. */
  ends(): void;
  /** Says it, and waits for the next decision about this session, which must be this one ("alert outcome reason"). */
  expects(text: string, sessionID: string, decision: string): Promise<void>;
};

export type Score = { right: number; wrong: number };
type StageDeps = { host: RealHost; table: Table; desktop: boolean; score: Score };

/** Without a desktop what deserves a banner fails for want of a channel, and there is nothing to take back. */
function fits(line: JournalLine, decision: string, desktop: boolean): boolean {
  const words = inWords(line);
  return (
    words === decision || (!desktop && line.outcome === "failed" && decision.startsWith(`${line.alert} delivered`))
  );
}

export function createStage({ host, table, desktop, score }: StageDeps): Stage {
  const told = new Set<string>();
  const key = (line: JournalLine) => JSON.stringify(line);
  return {
    host,
    says(text) {
      table.happened(text);
      table.nothing();
    },
    ends: table.gap,
    async expects(text, sessionID, decision) {
      table.happened(text);
      if (!desktop && decision.includes("withdrawn")) return table.nothing();
      const line = await host
        .decided(
          (candidate) => candidate.sessionID === sessionID && candidate.reason !== "child" && !told.has(key(candidate)),
        )
        .catch(() => undefined);
      if (line === undefined) {
        score.wrong++;
        return table.missing(decision);
      }
      told.add(key(line));
      const expected = fits(line, decision, desktop);
      score[expected ? "right" : "wrong"]++;
      table.decided(line, expected);
    },
  };
}
