import { guarded } from "../../shared/guard.ts";
import type { Note, Outlet } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import { deliveryOf } from "./program-outlet.ts";
import type { RunProgram } from "./run-program.ts";

export type SpeakerParts = { run: RunProgram; env: Environment };

/** One program that ends when it has spoken or played. */
export type Performer = {
  name: string;
  call(note: Note): { program: string; args: readonly string[]; input?: string };
  deadlineMs(note: Note): number;
};

/**
 * Resolves when it was spoken. A withdrawal kills the program: what was heard until then was heard, so that is no
 * failure.
 */
export function createSpeaker(performer: Performer, { run, env }: SpeakerParts): Outlet {
  const speaking = new Map<string, AbortController>();
  return {
    name: performer.name,
    async send(note, signal) {
      const stop = new AbortController();
      const forward = guarded("voice", () => stop.abort());
      signal.addEventListener("abort", forward, { once: true });
      speaking.set(note.key, stop);
      const deadlineMs = performer.deadlineMs(note);
      const ran = await run({ ...performer.call(note), env, deadlineMs, signal: stop.signal });
      signal.removeEventListener("abort", forward);
      const isCut = stop.signal.aborted && !signal.aborted;
      if (speaking.get(note.key) === stop) speaking.delete(note.key);
      return isCut
        ? { ok: true, outlet: performer.name, certainty: "started" }
        : deliveryOf(performer.name, ran, "started");
    },
    async withdraw(key) {
      speaking.get(key)?.abort();
      return false; // what was said was heard
    },
  };
}
