import type { Config, Mode } from "../config/schema.ts";
import type { Attendance } from "../focus/presence.ts";
import type { AlertKind } from "./decision.ts";
import { fitsGlob } from "./glob.ts";

/** Which channels an alert may use. */
export type Plan = { banner: boolean; voice: boolean; sound: boolean };

export type Gate =
  | { open: true; plan: Plan; attended: Attendance | undefined }
  | { open: false; why: "excluded" | "mode-none" | "muted" | "quiet-hours" }
  | { open: false; why: "attended"; attended: Attendance };

export type Circumstances = {
  kind: AlertKind;
  /** The root session's whole title. */
  name: string;
  muted: boolean;
  quiet: boolean;
  attended: Attendance | undefined;
};

/** Pure; everything it reads was read a moment ago. */
export function gate(at: Circumstances, alerts: Config["alerts"]): Gate {
  const { mode } = alerts[at.kind];
  if (alerts.exclude.some((glob) => fitsGlob(glob, at.name.trim()))) return { open: false, why: "excluded" };
  if (mode === "none") return { open: false, why: "mode-none" };
  if (at.muted) return { open: false, why: "muted" };
  const wanted = channelsOf(mode, at.quiet, alerts.sound);
  if (!wanted.banner && !wanted.voice) return { open: false, why: "quiet-hours" };
  if (at.attended === undefined || !suppresses(at.kind, alerts))
    return { open: true, plan: wanted, attended: undefined };
  const left = alerts.focus.suppress === "all" ? false : wanted.voice;
  if (!left) return { open: false, why: "attended", attended: at.attended };
  return { open: true, plan: { banner: false, voice: true, sound: false }, attended: at.attended };
}

/** Does looking at a session hold alerts of this kind back at all? */
export const suppresses = (kind: AlertKind, { focus, ...kinds }: Config["alerts"]): boolean =>
  focus.enabled && focus.suppress !== "none" && kinds[kind].whenFocused === "suppress";

const channelsOf = (mode: Mode, quiet: boolean, sound: Config["alerts"]["sound"]): Plan => ({
  banner: mode === "both" || mode === "banner",
  voice: !quiet && (mode === "both" || mode === "voice"),
  sound: !quiet && sound !== false && mode !== "voice",
});
