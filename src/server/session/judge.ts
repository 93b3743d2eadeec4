import { within } from "../../shared/within.ts";
import type { createChildren } from "./children.ts";
import { lookUpMs } from "./look-ups.ts";
import { placementOf, type SessionRecord } from "./records.ts";
import type { RegistryDeps } from "./registry.ts";
import { type Shape, shapeOf } from "./round.ts";
import type { Round } from "./turn.ts";
import { type Verdict, verdictFromFacts, verdictFromShape } from "./verdict.ts";
import type { Waiting } from "./waiting.ts";

type JudgeDeps = RegistryDeps & { waiting: Waiting; children: ReturnType<typeof createChildren> };

export const hasUnread = (record: SessionRecord): boolean => (record.unread?.size ?? 0) > 0;

/** What ends deserve: from the facts where they suffice, else from the host's message list too. */
export function createJudge({ clock, rules, host, log, startedAt, waiting, children }: JudgeDeps) {
  /** Rounds whose message list is on its way: their session may be in its next round already. */
  const asking = new Map<Round, SessionRecord>();

  const facts = (record: SessionRecord, round: Round) => verdictFromFacts(round, placementOf(record));

  const verdict = (record: SessionRecord, round: Round, shape?: Shape): Verdict =>
    verdictFromShape(
      round,
      {
        shape,
        placement: placementOf(record),
        childrenRun: children.anyRuns(record.id),
        moreQueued: round.leftUnread && hasUnread(record),
        askWaits: waiting.familyWaits(record.id),
        pluginStarted: startedAt,
      },
      rules(),
    );

  async function fetchShape(record: SessionRecord): Promise<Shape | undefined> {
    const ask = async () => host.messages(record.id);
    const messages = await within(clock, lookUpMs, ask());
    return messages === undefined ? undefined : shapeOf(messages);
  }

  return {
    facts,
    /** Without the host: the facts at hand decide. */
    now: (record: SessionRecord, round: Round): Verdict => facts(record, round) ?? verdict(record, round),
    /** `conclude` is called once, at once where the facts suffice; never after the round was dropped. */
    judge(record: SessionRecord, round: Round, conclude: (verdict: Verdict) => void): void {
      const known = facts(record, round);
      if (known !== undefined) return conclude(known);
      asking.set(round, record);
      fetchShape(record)
        .then((shape) => {
          if (asking.delete(round)) conclude(verdict(record, round, shape));
        })
        .catch((bug) => log(`verdict: ${String(bug)}`));
    },
    /** The host's answer will come too late: takes back the rounds it was asked about, of one session or of all. */
    drop(of?: SessionRecord): { record: SessionRecord; round: Round }[] {
      const dropped = [...asking].map(([round, record]) => ({ round, record }));
      const wanted = dropped.filter(({ record }) => of === undefined || record === of);
      for (const { round } of wanted) asking.delete(round);
      return wanted;
    },
  };
}
