/** What a terminal knows about its own focus. Only an explicit `focused` can suppress an alert. */
export type Focus = "focused" | "blurred" | "unknown";

/** What a terminal shows. `rootID` is the session's root where the terminal knows it. */
export type View =
  | { type: "session"; sessionID: string; rootID?: string | undefined }
  | { type: "home" }
  | { type: "other" };

/** The whole state of one terminal, never a delta. `idleMs` = time since its last sign of life. */
export type FocusReport = { focus: Focus; view: View; idleMs: number };

/** The session on screen, or undefined on home and other views. */
export const visibleSession = (view: View): string | undefined =>
  view.type === "session" ? view.sessionID : undefined;
