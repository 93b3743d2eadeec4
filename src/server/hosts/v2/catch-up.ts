import type { HostEvent } from "../../session/event.ts";
import type { Records, SessionRecord } from "../../session/records.ts";
import { permissionAsked } from "../asks.ts";
import { count, fields, identity, list } from "../read.ts";
import type { V2Context } from "./host.ts";

/** A round whose end was missed is told only when it ended this recently, ms (cases.md O76). */
const lateMs = 60_000;

/** Both clocks round: an end this close to the start of the next run is the end of the one before, ms. */
const clockGrainMs = 2;

type CatchUp = { context: V2Context; records: Records; receive(event: HostEvent): void; wall: number; now: number };

/** After an outage of the event stream: asks the host what was answered, asked or ended meanwhile. Never rejects. */
export async function catchUp(parts: CatchUp): Promise<void> {
  const waiting = [...parts.records.all()].filter(({ turn, asks }) => turn.phase === "working" || asks.length > 0);
  await Promise.allSettled(waiting.map((record) => Promise.all([permissions(record, parts), ending(record, parts)])));
}

async function permissions(record: SessionRecord, { context, receive }: CatchUp): Promise<void> {
  const { permission } = context;
  if (permission?.list === undefined) return;
  const { asks } = record; // what comes while the host is asked is not in its answer
  const pending = list(await permission.list({ sessionID: record.id })).map(fields);
  const ids = new Set(pending.map(({ id }) => identity(id)));
  for (const ask of asks)
    if (ask.about === "permission" && !ids.has(ask.requestID))
      receive({ sessionID: record.id, events: [{ kind: "answered", requestID: ask.requestID, how: "replied" }] });
  for (const request of pending)
    if (identity(request.id) !== undefined) receive({ sessionID: record.id, events: [permissionAsked(request)] });
}

/** `time.idle` is set at the end of a run and stays; a run that goes on began after it. */
async function ending(record: SessionRecord, { context, receive, wall, now }: CatchUp): Promise<void> {
  if (record.turn.phase !== "working") return;
  const session = fields(await context.session.get({ sessionID: record.id }));
  const idle = count(fields(session.time).idle);
  const startedWall = wall - (now - record.turn.round.runsSince);
  if (idle === undefined || idle < startedWall + clockGrainMs) return;
  const { outcome } = session;
  const failed = outcome === "interrupted" ? [{ kind: "failed" as const, name: "aborted" }] : [];
  const old = wall - idle > lateMs ? { created: 0 } : {};
  receive({ sessionID: record.id, events: [...failed, { kind: "ended" }], ...old });
}
