import type { Note } from "./channel.ts";
import type { Performer } from "./speaker.ts";
import { voiceName } from "./voice-name.ts";

/** The longest speech, ms. */
export const speechDeadlineMs = 30_000;

const option = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value]);

/** spd-say waits for ever for a speech-dispatcher without a sound device: long enough for the text, no longer. */
const spokenWithinMs = ({ spoken }: Note): number => Math.min(speechDeadlineMs, 5_000 + spoken.length * 120);

/**
 * macOS. By its whole path: a person's own `say` is not meant. The text is input, never an argument. Zarvox reads
 * English; for other languages the system's own voice is the best guess.
 */
export const say: Performer = {
  name: "say",
  call({ voice, language = "en", spoken }) {
    const named = voiceName(voice) ?? (language === "en" ? "Zarvox" : undefined);
    return { program: "/usr/bin/say", args: [...option("-v", named), "-f", "-"], input: spoken };
  },
  deadlineMs: () => speechDeadlineMs,
};

/**
 * It has no option for a voice by name: a note that asks for one goes to espeak. It reads the text from standard input: as an
 * argument every user could read it, and it would be a format. A line that begins with `!-!` would be a command. Source:
 * speech-dispatcher, src/clients/say/say.c.
 */
export const spdSay: Performer = {
  name: "spd-say",
  call: ({ language, spoken }) => ({
    program: "spd-say",
    args: ["-e", "-w", ...option("-l", language)],
    input: ` ${spoken}\n`,
  }),
  deadlineMs: spokenWithinMs,
};

const espeakNamed = (name: string): Performer => ({
  name,
  call: ({ voice, language, spoken }) => ({
    program: name,
    args: ["--stdin", ...option("-v", voiceName(voice) ?? language)],
    input: spoken,
  }),
  deadlineMs: () => speechDeadlineMs,
});

export const espeakNG = espeakNamed("espeak-ng");
export const espeak = espeakNamed("espeak");
