import { writeSync } from "node:fs";
import { answering, guarded } from "../../shared/guard.ts";
import type { Screen } from "../terminal-host.ts";
import { attempt } from "./attempt.ts";
import type { Renderer } from "./renderer.ts";

const stdout = 1;

/** The terminal behind a renderer. */
export function screenOf(renderer: Renderer | undefined): Screen {
  const hear = (event: "capabilities" | "destroy", run: () => void) => {
    const heard = guarded("renderer", run);
    attempt(() => renderer?.on?.(event, heard));
    return () => attempt(() => renderer?.off?.(event, heard));
  };
  const isElsewhere = () => isSuspended() || attempt(() => renderer?.isDestroyed) === true;
  const isSuspended = () => attempt(() => renderer?.controlState) === "explicit_suspended";

  const onSequence: Screen["onSequence"] = (look) => {
    const handler = answering("sequence", false, look);
    attempt(() => renderer?.prependInputHandler?.(handler));
    return () => attempt(() => renderer?.removeInputHandler?.(handler));
  };

  return {
    ...(attempt(() => renderer?.prependInputHandler) === undefined ? {} : { onSequence }),
    hearsFocus: attempt(() => renderer?.on) !== undefined,
    hostReportsFocus: () => attempt(() => renderer?.capabilities?.focus_tracking) === true,
    terminalName() {
      const told = attempt(() => renderer?.capabilities?.terminal);
      return told?.from_xtversion && typeof told.name === "string" && told.name !== "" ? told.name : undefined;
    },
    onCapabilities: (changed) => hear("capabilities", changed),
    onDestroyed: (gone) => hear("destroy", gone),
    isSuspended,
    write(bytes) {
      if (isElsewhere()) return false;
      if (renderer?.writeOut === undefined) writeToTerminal(bytes);
      else attempt(() => renderer.writeOut?.(bytes));
      return true;
    },
    notify: (message, title) =>
      !isElsewhere() && attempt(() => renderer?.triggerNotification?.(message, title)) === true,
  };
}

/** After the renderer's end, the process' exit included: nothing else works there. A terminal that is gone is no error. */
export function writeToTerminal(bytes: string): void {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    try {
      writeSync(stdout, bytes);
      return;
    } catch (error) {
      const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
      if (!isFull) return;
    }
  }
}
