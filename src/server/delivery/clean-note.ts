import { cleanBody, cleanTitle } from "../../shared/text.ts";
import type { Note } from "./channel.ts";

const longestSpoken = 320;
const longestLabel = 40;

/** Every outlet gets clean text, whoever wrote it. What is clean already stays as it is. */
export const cleanNote = (note: Note): Note => ({
  ...note,
  title: cleanTitle(note.title) || "opencode",
  body: cleanBody(note.body),
  spoken: cleanTitle(note.spoken, longestSpoken),
  ...(note.actions
    ? { actions: note.actions.map(({ key, label }) => ({ key, label: cleanTitle(label, longestLabel) })) }
    : {}),
  ...(note.away ? { away: { title: cleanTitle(note.away.title) || "opencode", body: cleanBody(note.away.body) } } : {}),
});
