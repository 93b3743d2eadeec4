import type { RaiseRequest } from "../shared/protocol.ts";
import { raiseBytes, takeBackBytes } from "../shared/terminal-notification.ts";
import { multiplexerOf, protocolOf, type TerminalProtocol } from "../shared/terminal-protocol.ts";
import { cleanBody, cleanTitle } from "../shared/text.ts";
import type { Screen } from "./terminal-host.ts";

export type TerminalAlerts = {
  /** Asked at every hello: a terminal may tell its name late. */
  abilities(): { notify: string[]; ssh: boolean };
  /** False when nothing was written. */
  raise(alert: RaiseRequest): boolean;
  takeBack(key: string): boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Alerts raised by the terminal itself. What a relay asks us to print is cleaned again here (product.md 26). */
export function createTerminalAlerts(env: Environment, screen: Screen): TerminalAlerts {
  const through = multiplexerOf(env);
  const way = (): TerminalProtocol => {
    const name = screen.terminalName();
    return protocolOf(name === undefined ? { env } : { env, name });
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
      // The host's renderer asked the terminal what it can do; where we know no more than a bell, it may know better.
      if (by === "bell" && screen.notify(cleanBody(alert.body), cleanTitle(alert.title))) return true;
      return write(raiseBytes(alert, by, through));
    },
    takeBack: (key) => write(takeBackBytes(key, way(), through)),
  };
}
