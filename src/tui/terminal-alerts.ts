import type { Abilities, RaiseRequest } from "../shared/protocol.ts";
import { raiseBytes, takeBackBytes } from "../shared/terminal-notification.ts";
import { multiplexerOf, protocolOf, type TerminalProtocol } from "../shared/terminal-protocol.ts";
import { cleanBody, cleanTitle } from "../shared/text.ts";
import type { Screen } from "./terminal-host.ts";

export type TerminalAlerts = {
  /** Asked anew for every report: a terminal may tell its name late. */
  abilities(): Abilities;
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
};

/** Alerts raised by the terminal itself. What a relay asks us to print is cleaned again here (product.md 26). */
export function createTerminalAlerts({ env, screen, answeredOsc99 }: TerminalAlertsDeps): TerminalAlerts {
  const through = multiplexerOf(env);
  const way = (): TerminalProtocol => {
    const name = screen.terminalName();
    return protocolOf({ env, ...(name === undefined ? {} : { name }), answeredOsc99: answeredOsc99() });
  };

  function write(bytes: string | undefined): boolean {
    if (bytes === undefined || screen.isSuspended()) return false;
    screen.write(bytes);
    return true;
  }

  return {
    abilities: () => ({ notify: [way()], ssh: Boolean(env.SSH_CONNECTION || env.SSH_TTY) }),
    raise(alert) {
      const by = way();
      // The host's renderer may know a way where we know no more than a bell. Elsewhere our own bytes are better: the
      // host has no ids, so what it raised can be neither replaced nor taken back.
      if (by === "bell" && screen.notify(cleanBody(alert.body), cleanTitle(alert.title))) return true;
      return write(raiseBytes(alert, by, through));
    },
    takeBack: (key) => write(takeBackBytes(key, way(), through)),
  };
}
