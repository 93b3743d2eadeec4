import { type Focus, type FocusReport, type View, visibleSession } from "../shared/focus.ts";

/** A moment on both clocks: the monotonic one stands still while the machine sleeps, the wall clock can be set. */
export type Moment = { now: number; wall: number };

/**
 * What happens in a terminal. `life` = mouse, paste, a resize by hand: somebody is there, wherever the focus is.
 * `away` = nobody can be looking, which we know from elsewhere: it does not prove that this terminal tells its focus.
 * `deaf` = the terminal is not to tell its focus from now on.
 */
export type Happening =
  | { type: "focus" | "blur" | "away" | "deaf" | "key" | "life" | "suspend" | "resume" }
  | { type: "view"; view: View };

/** Plain data: it survives a reload of the plugin, because terminals report changes only. */
export type FocusState = {
  focus: Focus;
  /** Whether this terminal ever reported its focus. Before that a key proves nothing. */
  reports: boolean;
  view: View;
  lastLife: Moment;
  suspended: boolean;
};

export const firstState = (at: Moment): FocusState => ({
  focus: "unknown",
  reports: false,
  view: { type: "home" },
  lastLife: at,
  suspended: false,
});

/** The next state. Pure; what changes nothing gives the same object back. */
export function nextState(state: FocusState, happening: Happening, at: Moment): FocusState {
  switch (happening.type) {
    case "focus":
      return { ...state, focus: "focused", reports: true, lastLife: at };
    case "blur":
      return { ...state, focus: "blurred", reports: true };
    case "away":
      return state.focus === "focused" ? { ...state, focus: "blurred" } : state;
    case "deaf":
      return state.focus === "unknown" ? state : { ...state, focus: "unknown" };
    case "key":
      return { ...state, focus: state.reports ? "focused" : state.focus, lastLife: at };
    case "life":
      return { ...state, lastLife: at };
    case "suspend":
      return { ...state, suspended: true, focus: "unknown" }; // a shell or an editor is in front, and it gets the reports
    case "resume":
      return { ...state, suspended: false, lastLife: at };
    case "view":
      if (sameView(state.view, happening.view)) return state;
      return {
        ...state,
        view: happening.view,
        lastLife: isElsewhere(state.view, happening.view) ? at : state.lastLife,
      };
  }
}

/** The whole state of this terminal, as it is told. */
export function reportOf(state: FocusState, at: Moment): FocusReport {
  const idleMs = Math.max(at.now - state.lastLife.now, at.wall - state.lastLife.wall, 0);
  return { focus: state.focus, view: state.suspended ? { type: "other" } : state.view, idleMs: Math.round(idleMs) };
}

/** Whether somebody may have to be told at once: not for a mere sign of life. */
export const isTurn = (before: FocusState, after: FocusState): boolean =>
  before.focus !== after.focus || before.suspended !== after.suspended || !sameView(before.view, after.view);

/** The same session with another root: the host learned of it, nobody went anywhere. */
const isElsewhere = (a: View, b: View): boolean => a.type !== b.type || visibleSession(a) !== visibleSession(b);

function sameView(a: View, b: View): boolean {
  if (a.type !== "session" || b.type !== "session") return a.type === b.type;
  return a.sessionID === b.sessionID && a.rootID === b.rootID;
}
