import type { Clock } from "../shared/clock.ts";
import type { Screen } from "./terminal-host.ts";

const esc = String.fromCharCode(27);
/** DEC private mode 1004: the terminal reports focus. Source: xterm's control sequences. */
export const switchOn = `${esc}[?1004h`;
export const switchOff = `${esc}[?1004l`;

/** The host asks the terminal and waits for an answer; its question is older than our start. */
const hostHasMs = 1_500;

export type FocusMode = {
  /** Before another program gets the terminal. */
  suspend(): void;
  resume(): void;
  /** Leaves the terminal as it was found; idempotent, synchronous, safe in a process' last moment. */
  end(): void;
};

export type FocusModeDeps = {
  clock: Clock;
  screen: Screen;
  /** Reaches the terminal when the renderer is gone. */
  writeLast(bytes: string): void;
  /** We asked for reports and called them off for good: what was told is old from now on. */
  onDeaf(): void;
};

/**
 * Switches focus reports on where the host did not: tmux 3.3 and Konsole report focus but do not answer the question
 * whether they do. Where the host owns the mode nothing is ever written.
 */
export function startFocusMode({ clock, screen, writeLast, onDeaf }: FocusModeDeps): FocusMode {
  let owner: "nobody" | "host" | "us" = "nobody";
  let over = false;

  function take(): void {
    if (over || owner !== "nobody" || !screen.hearsFocus || screen.isSuspended()) return;
    owner = screen.hostReportsFocus() ? "host" : "us";
    if (owner === "us") screen.write(switchOn);
  }

  /** An answer that came late: the host has the mode now, and switches it off at its own end. */
  const forget = screen.onCapabilities(() => {
    if (screen.hostReportsFocus()) owner = "host";
  });
  if (screen.hostReportsFocus()) owner = "host";
  const cancel = clock.after(hostHasMs, take);
  const forgetEnd = screen.onDestroyed(end);

  function end(): void {
    if (over) return;
    over = true;
    cancel();
    forget();
    forgetEnd();
    if (owner !== "us") return;
    if (!screen.isSuspended()) writeLast(switchOff);
    onDeaf();
  }

  return {
    suspend() {
      if (owner === "us" && !over) screen.write(switchOff);
    },
    resume() {
      if (over) return;
      if (owner === "us") screen.write(switchOn);
      else take();
    },
    end,
  };
}
