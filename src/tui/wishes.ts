import type { RecallableAlerts } from "./recallable-alerts.ts";
import type { Wish } from "./relay-client.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** Somebody clicked a banner, and this window could not be raised: at least say where they are needed. */
const calledHere = "beckon: you were called to this session";

export type WishDeps = {
  host: Pick<TerminalHost, "navigate" | "toast">;
  alerts: RecallableAlerts;
  /** True when the window was raised. Never rejects. */
  bringForward(): Promise<boolean>;
};

/** Does what a server part asks of this terminal; true when it was done. */
export const createWishes =
  ({ host, alerts, bringForward }: WishDeps) =>
  async (wish: Wish): Promise<boolean> => {
    switch (wish.type) {
      case "raise":
        return alerts.raise(wish.alert);
      case "takeBack":
        return alerts.takeBack(wish.key);
      case "navigate":
        host.navigate(wish.sessionID);
        if (!(await bringForward())) host.toast(calledHere);
        return true;
      case "toast":
        host.toast(wish.message, wish.title);
        return true;
    }
  };
