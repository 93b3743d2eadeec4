import { EventEmitter } from "node:events";

export type TerminalTraits = {
  /** False: never answers the mode query, so no focus events ever come (§6.3). */
  focusReporting: boolean;
  notifications: boolean;
};

/** §6.3, what the contract names of OpenTUI's renderer. */
export function createRenderer({ focusReporting, notifications }: TerminalTraits) {
  const emitter = new EventEmitter();
  const shown: { message: string; title: string | undefined }[] = [];
  let destroyed = false;
  return {
    renderer: {
      on(event: "focus" | "blur", listener: () => void) {
        return emitter.on(event, listener);
      },
      off(event: "focus" | "blur", listener: () => void) {
        return emitter.off(event, listener);
      },
      get isDestroyed() {
        return destroyed;
      },
      capabilities: { focus_tracking: focusReporting, notifications },
      triggerNotification(message: string, title?: string): boolean {
        if (notifications && !destroyed) shown.push({ message, title });
        return notifications && !destroyed;
      },
      setTerminalTitle() {},
    },
    shown,
    /** §6.3: no event at start; the first is normally a blur. */
    tell: (event: "focus" | "blur") => focusReporting && emitter.emit(event),
    listeners: () => emitter.listenerCount("focus") + emitter.listenerCount("blur"),
    destroy() {
      destroyed = true;
    },
  };
}
