import { within } from "../../shared/within.ts";
import { lookUpMs } from "./look-ups.ts";
import type { Entry, RegistryDeps } from "./registry.ts";
import { type Shape, shapeOf } from "./round.ts";

/** Asks the host what a session's message list says about the round that ended. */
export function createShapes({ clock, host, guard, enter }: Pick<RegistryDeps, "clock" | "host"> & Entry) {
  const questions = new Map<string, symbol>();

  async function fetchShape(sessionID: string): Promise<Shape | undefined> {
    const ask = async () => host.messages(sessionID);
    const messages = await within(clock, lookUpMs, ask());
    return messages === undefined ? undefined : shapeOf(messages);
  }

  return {
    /** Calls back once, undefined when the list cannot be had; never after `clear` or a newer question about the session. */
    read(sessionID: string, run: (shape: Shape | undefined) => void): void {
      const question = Symbol(sessionID);
      questions.set(sessionID, question);
      const told = (use: () => void): void => {
        if (questions.get(sessionID) !== question) return;
        questions.delete(sessionID);
        enter(sessionID, use);
      };
      const answer = fetchShape(sessionID).then(
        (shape) => told(() => run(shape)),
        (bug) =>
          told(() => {
            throw bug;
          }),
      );
      guard.unattended("message list", answer);
    },
    clear: (sessionID: string): void => void questions.delete(sessionID),
    stop: (): void => questions.clear(),
  };
}
