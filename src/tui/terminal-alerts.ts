import type { RaiseRequest } from "../shared/protocol.ts";
import { cleanBody, cleanTitle } from "../shared/text.ts";
import type { Screen } from "./terminal-host.ts";

export type TerminalAlerts = {
  abilities: { notify: string[]; ssh: boolean };
  /** False when nothing was written. */
  raise(alert: RaiseRequest): boolean;
  takeBack(key: string): boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Alerts raised by the terminal itself. What a relay asks us to print is cleaned again here (product.md 26). */
export function createTerminalAlerts(env: Environment, screen: Screen): TerminalAlerts {
  const ssh = (env.SSH_CONNECTION ?? env.SSH_TTY ?? "") !== "";
  return {
    abilities: { notify: [], ssh },
    raise: ({ title, body }) => screen.notify(cleanBody(body), cleanTitle(title)),
    takeBack: () => false,
  };
}
