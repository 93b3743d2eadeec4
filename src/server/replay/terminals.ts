import type { FocusReport, View } from "../../shared/focus.ts";
import {
  heartbeatMs,
  type Moment,
  type Presence,
  type TerminalAbilities,
  withoutTerminal,
  withReport,
} from "../focus/presence.ts";
import type { TraceLine } from "./trace.ts";
import type { VirtualClock } from "./virtual-clock.ts";

type Operation = Extract<TraceLine, { kind: "tui" }>;

type StandIn = {
  name: string;
  focus: FocusReport["focus"];
  /** It has reported a real focus event, so a key press proves focus. */
  reportsFocus: boolean;
  view: View;
  lifeAt: Moment;
  seq: number;
  connected: boolean;
  hangs: boolean;
  abilities: TerminalAbilities;
};

/** Stands in for the attached terminals of a trace: what their companions would report, and when. */
export function createTerminals(clock: VirtualClock, changed: (presence: Presence) => void) {
  const standIns = new Map<string, StandIn>();
  let presence: Presence = new Map();

  const moment = (): Moment => ({ now: clock.now(), wall: clock.wall() });

  function report(standIn: StandIn): void {
    if (!standIn.connected || standIn.hangs) return;
    standIn.seq += 1;
    const at = moment();
    const idleMs = Math.max(at.now - standIn.lifeAt.now, at.wall - standIn.lifeAt.wall);
    const { name, seq, focus, view, abilities } = standIn;
    publish(withReport(presence, { id: name, name, seq, reportedAt: at, report: { focus, view, idleMs }, abilities }));
  }

  function publish(next: Presence): void {
    presence = next;
    changed(presence);
  }

  function beat(standIn: StandIn): void {
    clock.background(heartbeatMs, () => {
      if (!standIn.connected) return;
      report(standIn);
      beat(standIn);
    });
  }

  function attach(name: string, terminal: Operation["terminal"]): void {
    const known = standIns.get(name);
    const standIn: StandIn = {
      name,
      focus: "unknown",
      reportsFocus: false,
      view: { type: "home" },
      lifeAt: moment(),
      seq: known?.seq ?? 0,
      connected: true,
      hangs: false,
      abilities: { notify: terminal?.notify ?? [], ssh: terminal?.ssh ?? false },
    };
    if (known !== undefined) known.connected = false;
    standIns.set(name, standIn);
    report(standIn);
    beat(standIn);
  }

  function leave(standIn: StandIn): void {
    standIn.connected = false;
    publish(withoutTerminal(presence, standIn.name));
  }

  function apply({ tui, op, view, terminal }: Operation): void {
    if (op === "attach") return attach(tui, terminal);
    const standIn = standIns.get(tui);
    if (standIn === undefined) return;
    if (op === "detach" || op === "drop") return leave(standIn);
    act(standIn, op, view);
    report(standIn);
  }

  function act(standIn: StandIn, op: Operation["op"], view: Operation["view"]): void {
    switch (op) {
      case "hang":
      case "resume":
        standIn.hangs = op === "hang";
        return;
      case "blur":
        standIn.reportsFocus = true;
        standIn.focus = "blurred";
        return;
      case "focus":
        standIn.reportsFocus = true;
        break;
      case "view":
        standIn.view = view ?? standIn.view;
        break;
    }
    standIn.lifeAt = moment(); // focus gained, route change, a key, the mouse
    if (op !== "view" && standIn.reportsFocus) standIn.focus = "focused";
  }

  return { apply, presence: () => presence };
}
