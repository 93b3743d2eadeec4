import type { Abilities, RaiseRequest } from "../shared/protocol.ts";
import { raiseBytes, takeBackBytes } from "../shared/terminal-notification.ts";
import { multiplexerOf, protocolOf, type TerminalProtocol } from "../shared/terminal-protocol.ts";
import { cleanBody, cleanTitle } from "../shared/text.ts";
import type { Screen } from "./terminal-host.ts";

export type TerminalAlerts = {
  /** Asked anew for every report: a terminal may tell its name late. */
  abilities(): Abilities;
  /** Before a raise: learns what may have changed since the last one. Never rejects. */
  prepare(): Promise<void>;
  /** False when nothing was written. */
  raise(alert: RaiseRequest): boolean;
  takeBack(key: string): boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

export type TerminalAlertsDeps = {
  env: Environment;
  screen: Screen;
  /** Whether the terminal has answered that it knows OSC 99. */
  answeredOsc99(): boolean;
  /** What tmux calls the terminal around it: no name while nobody is attached, undefined where it does not tell. */
  askTmux(): Promise<readonly string[] | undefined>;
};

/** Alerts raised by the terminal itself. What a relay asks us to print is cleaned again here. */
export function createTerminalAlerts({ env, screen, answeredOsc99, askTmux }: TerminalAlertsDeps): TerminalAlerts {
  const through = multiplexerOf(env);
  let around: readonly string[] | undefined;
  const way = (): TerminalProtocol | undefined => {
    const told = screen.terminalName();
    return protocolOf({
      env,
      names: [...(around ?? []), ...(told === undefined ? [] : [told])],
      answeredOsc99: answeredOsc99(),
    });
  };

  return {
    abilities: () => ({ notify: [way() ?? "bell"], ssh: Boolean(env.SSH_CONNECTION || env.SSH_TTY) }),
    async prepare() {
      around = await askTmux();
    },
    raise(alert) {
      if (around?.length === 0) return false; // nobody has this tmux on a screen
      const by = way();
      // Where we know nothing, the host's renderer may. Elsewhere our own bytes are better: the host has no ids, so what
      // it raised can be neither replaced nor taken back.
      if (by === undefined && screen.notify(cleanBody(alert.body), cleanTitle(alert.title))) return true;
      return screen.write(raiseBytes(alert, by ?? "bell", through));
    },
    takeBack(key) {
      const bytes = takeBackBytes(key, way() ?? "bell", through);
      return bytes !== undefined && screen.write(bytes);
    },
  };
}
