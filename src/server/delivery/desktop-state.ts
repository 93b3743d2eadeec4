import type { Clock } from "../../shared/clock.ts";
import { unattended } from "../../shared/guard.ts";
import { sessionBusPaths, systemBusPaths } from "./bus-address.ts";
import type { Environment } from "./find-program.ts";
import { notifications } from "./notification-daemon.ts";
import type { Platform } from "./platform.ts";
import type { RunProgram } from "./run-program.ts";
import type { BusCall, OpenBus, SessionBus } from "./session-bus.ts";

export type DesktopStateParts = {
  platform: Platform;
  env: Environment;
  openBus: OpenBus;
  run: RunProgram;
  clock: Clock;
  /** Undefined when there is no answer within this, ms. */
  deadlineMs?: number;
};

/** Undefined = not known. Asked only when about to notify; nothing is started to answer. */
export type DesktopState = {
  doNotDisturb(): Promise<boolean | undefined>;
  isLocked(): Promise<boolean | undefined>;
  close(): Promise<void>;
};

const property = (service: Pick<BusCall, "destination" | "path">, owner: string, name: string): BusCall => ({
  ...service,
  interface: "org.freedesktop.DBus.Properties",
  member: "Get",
  signature: "ss",
  body: [owner, name],
  startNobody: true,
});

/** Plasma's, then dunst's: each answers an error where it is the other. */
const inhibited = [
  property(notifications, notifications.interface, "Inhibited"),
  property(notifications, "org.dunstproject.cmd0", "paused"),
];

/** Source: xfce4-notifyd 0.7, its own settings dialogue. */
const settings = [
  {
    desktop: /GNOME/i,
    program: "gsettings",
    args: ["get", "org.gnome.desktop.notifications", "show-banners"],
    on: "false",
  },
  {
    desktop: /XFCE/i,
    program: "xfconf-query",
    args: ["--channel", "xfce4-notifyd", "--property", "/do-not-disturb"],
    on: "true",
  },
];

const lockedHint = property(
  { destination: "org.freedesktop.login1", path: "/org/freedesktop/login1/session/auto" },
  "org.freedesktop.login1.Session",
  "LockedHint",
);

const screenSaver = (destination: string, path: string): BusCall => ({
  destination,
  path,
  interface: destination,
  member: "GetActive",
  startNobody: true,
});
/** GNOME's and its descendants', and the one KDE and others answer to. */
const lockers = [
  screenSaver("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
  screenSaver("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
  screenSaver("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
  screenSaver("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
  screenSaver("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"),
];

export function createDesktopState(parts: DesktopStateParts): DesktopState {
  const deadlineMs = parts.deadlineMs ?? 300;
  const session = createLink(parts.openBus, sessionBusPaths(parts.env));
  const system = createLink(parts.openBus, systemBusPaths(parts.env));

  const inTime = (question: (signal: AbortSignal) => Promise<boolean | undefined>): Promise<boolean | undefined> =>
    new Promise((resolve) => {
      const late = new AbortController();
      const cancel = parts.clock.after(deadlineMs, () => {
        late.abort();
        resolve(undefined);
      });
      const answered = async () => {
        resolve(await question(late.signal));
        cancel();
      };
      unattended("desktop", answered());
    });

  async function macIsLocked(signal: AbortSignal): Promise<boolean | undefined> {
    const args = ["-n", "Root", "-d1", "-a"];
    const ran = await parts.run({ program: "/usr/sbin/ioreg", args, env: parts.env, deadlineMs, signal });
    return ran.ok ? /CGSSessionScreenIsLocked<\/key>\s*<true\/>/.test(ran.value) : undefined;
  }

  /** Some tell it only by their settings. */
  async function bySettings(signal: AbortSignal): Promise<boolean | undefined> {
    const way = settings.find(({ desktop }) => desktop.test(parts.env.XDG_CURRENT_DESKTOP ?? ""));
    if (way === undefined) return undefined;
    const { program, args, on } = way;
    const ran = await parts.run({ program, args, env: parts.env, deadlineMs, signal });
    return ran.ok ? ran.value.trim() === on : undefined;
  }

  const isLinux = parts.platform === "linux";
  return {
    doNotDisturb() {
      if (!isLinux) return Promise.resolve(undefined);
      return inTime(async (signal) => (await session.firstAnswer(inhibited)) ?? (await bySettings(signal)));
    },
    isLocked() {
      if (parts.platform === "darwin") return inTime(macIsLocked);
      if (!isLinux) return Promise.resolve(undefined);
      return inTime(async () => {
        const [login, saver] = await Promise.all([system.firstAnswer([lockedHint]), session.firstAnswer(lockers)]);
        return login === true || saver === true ? true : (login ?? saver);
      });
    },
    async close() {
      await Promise.all([session.close(), system.close()]);
    },
  };
}

/** A bus that is opened when first asked, and again after it was gone. */
function createLink(openBus: OpenBus, paths: readonly string[]) {
  let opening: Promise<SessionBus | undefined> | undefined;
  const closing = new AbortController();
  const reach = () => {
    opening ??= openBus(paths, closing.signal).then((opened) => {
      if (!opened.ok) opening = undefined;
      else
        opened.value.onClose(() => {
          opening = undefined;
        });
      return opened.ok ? opened.value : undefined;
    });
    return opening;
  };
  return {
    async firstAnswer(questions: readonly BusCall[]): Promise<boolean | undefined> {
      const bus = await reach();
      const answers = await Promise.all(questions.map(async (question) => bus?.call(question)));
      const known = answers.find((answer) => answer?.ok && typeof answer.value[0] === "boolean");
      return known?.ok && typeof known.value[0] === "boolean" ? known.value[0] : undefined;
    },
    async close() {
      closing.abort();
      (await opening)?.close();
    },
  };
}
