import type { Clock } from "../../shared/clock.ts";
import { within } from "../../shared/within.ts";
import type { Hidden } from "../core/decision.ts";

/** What the person's desktop tells of itself. Undefined: not known. Asked only when about to notify. */
export type Screen = {
  /** Behind a locked screen nobody looks, whatever a terminal says. */
  isLocked(): Promise<boolean | undefined>;
  /** The desktop itself holds banners back: it takes them and shows them later. */
  doNotDisturb(): Promise<boolean | undefined>;
};

/** How long a decision waits for an answer, ms. */
const answerMs = 1_000;

/** Never rejects; no answer is a no. */
const isTrue = async (clock: Clock, ask: () => Promise<boolean | undefined>): Promise<boolean> => {
  const asked = async () => ask();
  return (await within(clock, answerMs, asked())) === true;
};

export const isLocked = (screen: Screen, clock: Clock): Promise<boolean> => isTrue(clock, screen.isLocked);

/** Why a banner is not seen although a daemon took it. Never rejects. */
export async function whatHides(screen: Screen | undefined, clock: Clock): Promise<Hidden[]> {
  if (screen === undefined) return [];
  const [held, locked] = await Promise.all([isTrue(clock, screen.doNotDisturb), isLocked(screen, clock)]);
  return [...(held ? ["do-not-disturb" as const] : []), ...(locked ? ["locked" as const] : [])];
}
