import type { HostEvent } from "../../core/event.ts";
import type { Session } from "../../core/state.ts";
import { permissionAsked } from "../asks.ts";
import { count, fields, identity, list } from "../read.ts";
import type { V2Context } from "./host.ts";

/** A round whose end was missed is told only when it ended this recently, ms. */
const lateMs = 60_000;

/** Both clocks round: an end this close to the start of the next run is the end of the one before, ms. */
const clockGrainMs = 2;

type CatchUp = {
  context: V2Context;
  sessions: Iterable<Session>;
  receive(event: HostEvent): void;
  wall: number;
  now: number;
};

/** After an outage of the event stream: asks the host what was answered, asked or ended meanwhile. Never rejects. */
export async function catchUp(parts: CatchUp): Promise<void> {
  const waiting = [...parts.sessions].filter(({ turn, requests }) => turn.phase === "running" || requests.length > 0);
  await Promise.allSettled(
    waiting.map((session) => Promise.all([permissions(session, parts), ending(session, parts)])),
  );
}

async function permissions({ id, requests }: Session, { context, receive }: CatchUp): Promise<void> {
  const { permission } = context;
  if (permission?.list === undefined) return;
  // `requests` is what was open before: what comes while the host is asked is not in its answer.
  const pending = list(await permission.list({ sessionID: id })).map(fields);
  const ids = new Set(pending.map(({ id }) => identity(id)));
  for (const ask of requests)
    if (ask.about === "permission" && !ids.has(ask.requestID))
      receive({ sessionID: id, events: [{ kind: "answered", requestID: ask.requestID, how: "replied" }] });
  for (const request of pending)
    if (identity(request.id) !== undefined) receive({ sessionID: id, events: [permissionAsked(request)] });
}

/** `time.idle` is set at the end of a run and stays; a run that goes on, or began while the host was asked, is later. */
async function ending(session: Session, { context, receive, wall, now }: CatchUp): Promise<void> {
  if (session.turn.phase !== "running") return;
  const told = fields(await context.session.get({ sessionID: session.id }));
  const { turn } = session;
  const idle = count(fields(told.time).idle);
  if (turn.phase !== "running" || idle === undefined) return;
  const startedWall = wall - (now - turn.round.runsSince);
  if (idle < startedWall + clockGrainMs) return;
  const failed = told.outcome === "interrupted" ? [{ kind: "failed" as const, name: "aborted" }] : [];
  const old = wall - idle > lateMs ? { created: 0 } : {};
  receive({ sessionID: session.id, events: [...failed, { kind: "ended" }], ...old });
}
