import { cleanBody, cleanTitle } from "../shared/text.ts";
import type { Wish } from "./relay-client.ts";
import type { TerminalAlerts } from "./terminal-alerts.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** Does what a server part asks of this terminal; true when it was done. */
export const createWishes =
  ({ host, alerts }: { host: Pick<TerminalHost, "navigate" | "toast">; alerts: TerminalAlerts }) =>
  async (wish: Wish): Promise<boolean> => {
    switch (wish.type) {
      case "raise":
        return alerts.raise(wish.alert);
      case "takeBack":
        return alerts.takeBack(wish.key);
      case "navigate":
        host.navigate(wish.sessionID);
        return true;
      case "toast":
        host.toast(cleanBody(wish.message), wish.title === undefined ? undefined : cleanTitle(wish.title));
        return true;
    }
  };
