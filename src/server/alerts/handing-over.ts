import type { Clock } from "../../shared/clock.ts";
import type { Guard } from "../../shared/guard.ts";
import type { Config } from "../config/schema.ts";
import type { Call } from "./call.ts";
import { brokenLine, deliveryLine, droppedLine, type Told } from "./call-lines.ts";
import type { CallList } from "./call-list.ts";
import type { Decision, DeliveredReason } from "./decision.ts";
import type { Handed } from "./deliver.ts";
import type { Plan } from "./gate.ts";
import { createLater, type PushTarget } from "./later.ts";
import type { Lookout } from "./lookout.ts";
import { isLocked, type Screen, whatHides } from "./screen.ts";
import type { Subject } from "./subject.ts";
import type { Unfinished } from "./unfinished.ts";

export type HandingOverDeps = {
  clock: Clock;
  config(): Config;
  calls: CallList;
  lookout: Lookout;
  unfinished: Unfinished;
  screen?: Screen;
  isMuted(): boolean;
  subject(sessionID: string): Subject;
  /** Never rejects. */
  deliver(request: { call: Call; subject: Subject; plan: Plan; overdue: boolean }): Promise<Handed>;
  push(request: { call: Call; subject: Subject; target: PushTarget }): Promise<Handed>;
  /** A reminder is decided like the alert itself. */
  decide(call: Call, reason: DeliveredReason): void;
  /** The way in for what comes later: a bug met on it gives the alert its line. */
  enter(call: Call, run: () => void): void;
  guard: Guard;
  record(decision: Decision): void;
  /** Which banners are up has changed. */
  changed?(): void;
};

/** A bug of ours came before the channels did. */
const nobody: Handed = { title: "", message: "", channels: [], failure: "internal" };

/** Decided: off to the channels, and what follows while nobody reacts. */
export function createHandingOver(deps: HandingOverDeps) {
  const { clock, calls, lookout, unfinished, screen, record, enter, guard } = deps;
  const later = createLater({ clock, config: deps.config, remind, push, enter });
  let stopped = false;

  function hand(call: Call, plan: Plan, reason: DeliveredReason): Call {
    const { known: _known, gone: _gone, ...fresh } = call;
    const shown: Call = { ...fresh, stage: "shown", since: clock.now() };
    calls.put(shown); // its requests are among those its banner names and answers
    shown.told = tell(shown, plan, reason);
    unfinished.add("delivery", shown.told);
    follow(shown, reason);
    return shown;
  }

  /** A bug here keeps back what may follow, never the alert itself: that is on its way, and has its line. */
  const follow = guard.guarded("what follows an alert", (shown: Call, reason: DeliveredReason) => {
    later.remindOf(shown);
    if (reason !== "overdue") later.pushAbout(shown);
  });

  /** It was seen, and left unanswered: what follows an alert counts from now. */
  function followUp(call: Call): void {
    const known: Call = { ...call, stage: "shown", since: clock.now() };
    calls.put(known);
    later.resume(known);
  }

  async function tell(call: Call, plan: Plan, reason: DeliveredReason): Promise<Handed> {
    const at = clock.now();
    const deliver = async () =>
      deps.deliver({ call, subject: deps.subject(call.sessionID), plan, overdue: reason === "overdue" });
    const [handed, hidden] = await Promise.all([unbroken("delivery", deliver), whatHides(screen, clock)]);
    call.shownAs = handed;
    record(lineFor(call, { at, handed, reason, hidden }) ?? droppedLine(call, at));
    if (hidden.length > 0) enter(call, () => later.pushNow(call, reason));
    deps.changed?.();
    return handed;
  }

  const unbroken = (what: string, hand: () => Promise<Handed>): Promise<Handed> =>
    guard.promising<[], Handed>(what, nobody, hand)();

  const lineFor = (call: Call, told: Told): Decision | undefined =>
    told.handed === nobody ? brokenLine(call, told.at) : deliveryLine(call, told);

  function remind(id: string): void {
    unlessSeen(id, (call) => deps.decide({ ...call, reminders: call.reminders + 1 }, "overdue"));
  }

  function push(id: string, place: number, reason: DeliveredReason): void {
    unlessSeen(id, (call) => {
      const target = deps.config().alerts.push[place];
      call.pushed.add(place);
      if (target !== undefined && !deps.isMuted()) unfinished.add("push", tellAway(call, target, reason));
    });
  }

  async function tellAway(call: Call, target: PushTarget, reason: DeliveredReason): Promise<void> {
    const at = clock.now();
    const send = async () => deps.push({ call, subject: deps.subject(call.sessionID), target });
    const handed = await unbroken("push", send);
    const line = lineFor(call, { at, handed, reason });
    if (line !== undefined) record(line);
  }

  /** The call may have gone, or somebody may look by now; not behind a locked screen. */
  function unlessSeen(id: string, go: (call: Call) => void): void {
    const call = calls.get(id);
    if (call === undefined) return;
    const looks = lookout.attended(call);
    if (looks === undefined) return go(call);
    if (looks.remote || screen === undefined) return;
    const asked = isLocked(screen, clock).then((locked) => {
      const current = calls.get(id);
      if (locked && current !== undefined && !stopped) enter(current, () => go(current)); // else whoever takes over asks anew
    });
    unfinished.add("screen lock", asked);
  }

  function stop(): void {
    stopped = true;
    later.stop();
  }

  return { hand, followUp, resume: later.resume, clear: later.clear, stop };
}
