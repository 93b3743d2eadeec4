import type { SessionEvent } from "./event.ts";
import type { Records, SessionRecord } from "./records.ts";
import type { RegistryDeps } from "./registry.ts";
import { noteCall } from "./tool-calls.ts";
import { nextRound, type RoundEvent } from "./turn.ts";
import { classify } from "./work.ts";

type ToolEvent = Extract<SessionEvent, { kind: "toolNamed" | "toolInput" | "toolEnded" }>;

type ProgressDeps = Pick<RegistryDeps, "clock" | "sink"> & { records: Records; isGone(sessionID: string): boolean };

/** What a round gets done between its start and its end: steps, tools, and the children they start. */
export function createProgress({ clock, sink, records, isGone }: ProgressDeps) {
  function update(record: SessionRecord, event: RoundEvent): void {
    const { turn } = record;
    if (turn.phase === "resting") return;
    const round = nextRound(turn.round, event);
    record.turn = { ...turn, round };
    if (turn.round.retry?.told === true && round.retry === undefined) sink.worksAgain(record.id);
  }

  function tool(record: SessionRecord, event: ToolEvent): void {
    if (record.turn.phase === "resting") return;
    if (event.kind === "toolNamed") update(record, { kind: "answering" });
    record.calls ??= new Map();
    const done = noteCall(record.calls, event);
    if (done === undefined) return;
    update(record, { kind: "toolSucceeded", ...done });
    const root = records.get(records.rootOf(record.id));
    if (root !== undefined && root !== record && classify(done.tool, done.input) === "real")
      update(root, { kind: "childWorked" });
  }

  /** One that fails at once can be over before the call that launched it says so. */
  const endedInRound = ({ endedAt }: SessionRecord, { turn }: SessionRecord): boolean =>
    endedAt !== undefined && turn.phase !== "resting" && endedAt >= turn.round.runsSince;

  /** A call of that session started the child. `launched`: it runs on in the background. */
  function link(parent: SessionRecord, { childID, launched }: { childID: string; launched: boolean }): void {
    if (isGone(childID) || childID === records.rootOf(parent.id)) return; // a tool may name the session it runs for
    const child = records.ensure(childID, clock.now());
    if (child.parentID === undefined) records.place(child, parent.id);
    if (launched && child.turn.phase === "resting" && !child.launched && !endedInRound(child, parent)) {
      child.launched = true;
      child.heardAt = clock.now();
    }
  }

  return { update, tool, link };
}
