import type { JournalLine } from "../../scenarios/host-under-test.ts";
import { inWords } from "../../scenarios/scenario.ts";
import type { RealHost } from "../host/real-host.ts";
import type { Desktop } from "./desktop.ts";
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
type StageDeps = { host: RealHost; table: Table; desktop: Desktop; score: Score };

/** Without a screen what deserves a banner fails for want of a channel. */
function fits(line: JournalLine, decision: string, { shows }: Desktop): boolean {
  const words = inWords(line);
  return words === decision || (!shows && line.outcome === "failed" && decision.startsWith(`${line.alert} delivered`));
}

/** What the demo tells about: not a subagent's own end, and no taking back where that cannot be relied on. */
export const isTold = ({ outcome, reason }: JournalLine, { takesBack }: Desktop): boolean =>
  reason !== "child" && (takesBack || outcome !== "withdrawn");

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
      if (!desktop.takesBack && decision.includes("withdrawn")) return table.nothing();
      const line = await host
        .decided(
          (candidate) => candidate.sessionID === sessionID && isTold(candidate, desktop) && !told.has(key(candidate)),
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
