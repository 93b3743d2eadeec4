import type { Desktop } from "../../rig/desktop/desktop.ts";
import type { Banner } from "../../rig/desktop/recorder.ts";

/** What led to the person's desktop, for the environment of a host. */
export const reaches = ({ env: { DBUS_SESSION_BUS_ADDRESS = "", DISPLAY = "" } }: Desktop) => ({
  DBUS_SESSION_BUS_ADDRESS,
  DISPLAY,
});

/** A banner as a person would tell about it. */
export type Seen = { body: string; urgency: Banner["urgency"]; end: "up" | "replaced" | "taken back" | "other" };

const endOf = ({ overwritten, closed }: Banner): Seen["end"] => {
  if (overwritten) return "replaced";
  if (closed === undefined) return "up";
  return closed.by === "call" && closed.reason === "closed" ? "taken back" : "other";
};

/** Everything shown under these titles, oldest first. */
export const seenUnder = (desktop: Desktop, titles: string[]): Seen[] =>
  desktop
    .banners()
    .filter((banner) => titles.includes(banner.title))
    .map((banner) => ({ body: banner.body, urgency: banner.urgency, end: endOf(banner) }));

/** What dunst itself put on the screen under these titles. */
export const displayedUnder = (desktop: Desktop, titles: string[]): string[] =>
  desktop
    .displayed()
    .filter(({ title }) => titles.includes(title))
    .map(({ body }) => body);
