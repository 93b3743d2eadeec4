import type { createChildren } from "./children.ts";
import { hasUnread, placementOf, type SessionRecord, waitsForPerson } from "./records.ts";
import type { RegistryDeps } from "./registry.ts";
import type { Shape } from "./round.ts";
import type { Round } from "./turn.ts";
import { type Verdict, verdictFromFacts, verdictFromShape } from "./verdict.ts";

type JudgeDeps = Pick<RegistryDeps, "rules"> & {
  children: ReturnType<typeof createChildren>;
  /** Epoch ms of the plugin's own start. */
  beginning(): number;
};

/** What an end deserves, as things stand around it now. */
export function createJudge({ rules, beginning, children }: JudgeDeps) {
  /** Undefined: only the message list can tell. */
  const facts = (record: SessionRecord, round: Round) => verdictFromFacts(round, placementOf(record));

  const verdict = (record: SessionRecord, round: Round, shape?: Shape): Verdict =>
    facts(record, round) ??
    verdictFromShape(
      round,
      {
        shape,
        placement: placementOf(record),
        childrenRun: children.anyRuns(record.id),
        moreQueued: round.leftUnread && hasUnread(record),
        askWaits: waitsForPerson(record),
        pluginStarted: beginning(),
      },
      rules(),
    );

  return { facts, verdict };
}
