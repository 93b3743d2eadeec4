import type { View } from "../shared/focus.ts";
import type { Happening } from "./focus-state.ts";
import type { PluginCalls } from "./plugin-calls.ts";

/** A line of the command palette, and a word behind a slash. */
export type Command = { name: string; title: string; description: string; slash: string; run(): unknown };

/** What either opencode gives a terminal part, in our words. What a host lacks does nothing. */
export type TerminalHost = {
  /** Focus, keys and the rest; returns its own end. `view` is asked for, never told. */
  listen(happened: (happening: Happening) => void): () => void;
  view(): View;
  screen: Screen;
  navigate(sessionID: string): void;
  toast(message: string, title?: string): void;
  /** A text to read at leisure. */
  show(title: string, lines: readonly string[]): void;
  /** Offers words to choose from; nothing happens when the person leaves. */
  choose(title: string, options: readonly { title: string; value: number }[], chosen: (value: number) => void): void;
  addCommands(commands: readonly Command[]): () => void;
  /** The way through opencode itself (2.x). */
  calls?: PluginCalls;
};

export type Screen = {
  /** False where nobody would tell us of a report: then none is asked for. */
  hearsFocus: boolean;
  /** True when the host switched focus reports on itself. */
  hostReportsFocus(): boolean;
  /** As the terminal itself told it (XTVERSION); undefined where it did not. */
  terminalName(): string | undefined;
  onCapabilities(changed: () => void): () => void;
  /** Sees what the terminal sends before the host does; true keeps it from the host. Absent where nobody would tell us. */
  onSequence?(handler: (sequence: string) => boolean): () => void;
  /** The renderer gives the terminal back. On 1.18 a second Ctrl-C right after it kills the process before any clean-up. */
  onDestroyed(gone: () => void): () => void;
  isSuspended(): boolean;
  /** Whole sequences only. False, and nothing is written, while suspended and after the terminal was given back. */
  write(bytes: string): boolean;
  /** The host's own way to raise an alert; false when it wrote nothing. */
  notify(message: string, title: string): boolean;
};
