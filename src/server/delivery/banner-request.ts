import type { Note, NoteAction } from "./channel.ts";

const urgencies = { low: 0, normal: 1, critical: 2 } as const;

/** Daemons that render markup lose words otherwise: `a < b` becomes `a`. Only a body is markup, never a title. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Milliseconds; -1 = the daemon's own choice, 0 = until answered. */
export const expiry = (note: Note): number => (note.urgency === "critical" ? 0 : -1);

/** Those the daemon can show; no other one can be pressed. */
export const actionsFor = (note: Note, capabilities: ReadonlySet<string>): readonly NoteAction[] =>
  capabilities.has("actions") ? (note.actions ?? []) : [];

/**
 * The body of `Notify`, signature `susssasa{sv}i`. `desktop-entry` and the application name are opencode's, not the
 * terminal's: GNOME hides the banners of an application that has the focus. Not `transient`: who was away wants to
 * find it in the list. `suppress-sound`: our own sound channel plays, and two at once are one too many.
 */
export function notifyBody(note: Note, capabilities: ReadonlySet<string>, replaces: number | undefined) {
  const body = capabilities.has("body-markup") ? escapeMarkup(note.body) : note.body;
  const hasBody = capabilities.has("body") || note.body === "";
  const actions = actionsFor(note, capabilities);
  const hints = [
    ["urgency", ["y", urgencies[note.urgency]]],
    ["desktop-entry", ["s", "opencode"]],
    ["category", ["s", `x-opencode.${note.kind}`]],
    ...(capabilities.has("sound") ? [["suppress-sound", ["b", true]]] : []),
  ];
  return [
    "opencode",
    replaces ?? 0,
    "",
    hasBody ? note.title : `${note.title}: ${note.body.replaceAll("\n", " ")}`,
    hasBody ? body : "",
    actions.flatMap(({ key, label }) => [key, label]),
    hints,
    expiry(note),
  ];
}
