import { startChild } from "../host/child.ts";
import { waitFor, waitUntil } from "../host/wait-for.ts";
import type { Desktop } from "./desktop.ts";

/** MATE's locker, on a private desktop: the screen is really locked. */
export type ScreenSaver = { lock(): Promise<void>; unlock(): Promise<void>; end(): Promise<void> };

const call = (member: string) => [
  ...["--session", "--type=method_call", "--dest=org.mate.ScreenSaver", "/org/mate/ScreenSaver"],
  `org.mate.ScreenSaver.${member}`,
];

/** Needs mate-screensaver and a desktop with a screen. */
export async function startScreenSaver({ env, folder, run }: Desktop): Promise<ScreenSaver> {
  const child = startChild("mate-screensaver", ["--no-daemon"], { cwd: folder, env });
  const isActive = async () => (await run("dbus-send", "--print-reply=literal", ...call("GetActive"))).includes("true");
  await waitFor(
    () => `mate-screensaver to answer: ${child.stderr()}`,
    () =>
      isActive().then(
        () => true,
        () => undefined,
      ),
  );
  return {
    /** Lock and Unlock happen, and are never answered. */
    async lock() {
      await run("dbus-send", ...call("Lock"));
      await waitUntil("the screen to be locked", isActive);
    },
    async unlock() {
      await run("dbus-send", ...call("Unlock"));
      await waitUntil("the screen to be unlocked", async () => !(await isActive()));
    },
    end: async () => void (await child.end()),
  };
}
