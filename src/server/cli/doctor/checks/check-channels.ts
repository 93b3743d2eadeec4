import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";

/** Whether what the configuration wants can reach a person from here. */
export const checkChannels = (facts: Facts): Finding[] => [
  ...checkBanner(facts),
  ...checkVoice(facts),
  ...checkSound(facts),
];

function checkBanner(facts: Facts): Finding[] {
  switch (facts.platform) {
    case "linux":
      return checkDaemon(facts);
    case "darwin":
      return checkMac(facts);
    case "win32":
    case "wsl":
      return checkWindows(facts);
    case "other":
      return [
        {
          check: "banner",
          level: "broken",
          symptom: "no banners on this system",
          cause: "beckon knows macOS, Linux and Windows",
        },
      ];
  }
}

function checkDaemon({ daemon, hasDesktop, programs }: Facts): Finding[] {
  const check = "banner";
  const level = hasDesktop ? "broken" : "advice";
  switch (daemon?.state) {
    case undefined:
      return [];
    case "no-library":
      return [withoutLibrary(programs)];
    case "no-bus":
      return [
        {
          check,
          level,
          symptom: "no banner can be shown: there is no session bus",
          cause: daemon.detail,
          fix: "run opencode inside your desktop session; where the bus is there and its address got lost:",
          paste: "export XDG_RUNTIME_DIR=/run/user/$(id -u) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus",
        },
      ];
    case "nobody":
      return [
        {
          check,
          level: "broken",
          symptom: "no banner can be shown: no notification daemon runs",
          cause: "the session bus is there, and nobody on it shows notifications",
          fix: "start the one of your desktop, or install one (Wayland: mako)",
          paste: "sudo apt install dunst && dunst &",
        },
      ];
    case "silent":
      return [
        {
          check,
          level: "broken",
          symptom: "banners hang: the notification daemon does not answer",
          cause: "it owns its name on the bus and has said nothing for 2 s",
          fix: "start your notification daemon again",
        },
      ];
    case "answers":
      return [fine(check, daemonWords(daemon)), ...doNotDisturb(daemon.doNotDisturb), ...spare(programs)];
  }
}

const withoutLibrary = (programs: ReadonlySet<string>): Finding =>
  programs.has("notify-send")
    ? {
        check: "banner",
        level: "advice",
        symptom: "banners go by notify-send only: a click does nothing, and an old one cannot be replaced",
        cause: "dbus-native, by which the desktop is spoken to directly, is not installed beside beckon",
        fix: "install beckon with its dependencies",
        paste: "npm install --global opencode-beckon",
      }
    : {
        check: "banner",
        level: "broken",
        symptom: "no banner can be shown: neither dbus-native nor notify-send is there",
        cause: "beckon was copied without its dependencies, and notify-send is not on PATH",
        fix: "install beckon with its dependencies, or notify-send",
        paste: "sudo apt install libnotify-bin",
      };

type Answering = Extract<NonNullable<Facts["daemon"]>, { state: "answers" }>;

function daemonWords({ name, version, capabilities }: Answering): string {
  const can = [
    ["actions", "buttons"],
    ["body-markup", "markup"],
    ["persistence", "keeps a list"],
    ["sound", "sounds"],
  ].flatMap(([capability = "", words = ""]) => (capabilities.includes(capability) ? [words] : []));
  return `${name} ${version} shows banners${can.length === 0 ? "" : ` (${can.join(", ")})`}`;
}

const doNotDisturb = (on: boolean | undefined): Finding[] =>
  on === true
    ? [
        {
          check: "banner",
          level: "advice",
          symptom: "banners are held back: do-not-disturb is on",
          cause: "the daemon takes them and shows them when you end it",
          fix: "end do-not-disturb, or let a voice call you",
          paste: "beckon config set alerts.pause.mode both",
        },
      ]
    : [];

const spare = (programs: ReadonlySet<string>): Finding[] =>
  programs.has("notify-send") ? [] : [fine("banner", "no notify-send to fall back on; the bus is enough")];

const checkMac = ({ programs }: Facts): Finding[] => {
  const better = ["alerter", "terminal-notifier"].find((program) => programs.has(program));
  const app = better ?? "Script Editor";
  return [
    fine("banner", better === undefined ? "banners by osascript" : `banners by ${better}`),
    {
      check: "banner",
      level: "advice",
      symptom: `macOS shows banners only when ${app} may`,
      cause: "nothing tells us whether it may: a refused banner looks like a shown one",
      fix: `allow ${app} under System Settings, Notifications, and see whether this is shown`,
      paste: "beckon test",
    },
  ];
};

const checkWindows = ({ programs, platform }: Facts): Finding[] =>
  programs.has("powershell.exe") || platform === "win32"
    ? [fine("banner", "toasts by Windows PowerShell")]
    : [
        {
          check: "banner",
          level: "broken",
          symptom: "no toast can be shown: powershell.exe is not on PATH",
          cause: "WSL's interop is off, or Windows' PATH is not taken over",
          fix: "switch both on in /etc/wsl.conf and restart WSL (wsl --shutdown)",
          paste: "[interop]\nenabled = true\nappendWindowsPath = true",
        },
      ];

const speakers = ["say", "spd-say", "espeak-ng", "espeak"];
const players = ["pw-play", "paplay", "canberra-gtk-play", "aplay", "afplay"];

function checkVoice({ config, programs, platform }: Facts): Finding[] {
  const { alerts, notifications } = config.value;
  const modes = [alerts.pause.mode, alerts.done.mode, alerts.error.mode];
  const found = speakers.filter((program) => programs.has(program));
  if (found.length > 0) return [fine("voice", `voice by ${found.join(", ")}`)];
  if (platform === "win32" || platform === "wsl") return [];
  const alertsSpeak = modes.some((mode) => mode === "both" || mode === "voice");
  if (!alertsSpeak && notifications.mode === "banner") return [];
  return [
    {
      check: "voice",
      level: alertsSpeak ? "broken" : "advice",
      symptom: "nothing here can speak",
      cause: alertsSpeak
        ? "the configuration wants alerts to be spoken, and no speaking program is on PATH"
        : "the model may want to speak to you (notifications.mode), and no speaking program is on PATH",
      fix: "install one",
      paste: "sudo apt install espeak-ng",
    },
  ];
}

function checkSound({ config, programs, platform }: Facts): Finding[] {
  const { sound } = config.value.alerts;
  if (sound === false || platform === "win32" || platform === "wsl") return [];
  const found = players.filter((program) => programs.has(program));
  if (found.length > 0) return [fine("sound", `sounds by ${found.join(", ")}`)];
  return [
    {
      check: "sound",
      level: "broken",
      symptom: "nothing here can play a sound",
      cause: "alerts.sound is set, and no player is on PATH",
      fix: "install one",
      paste: "sudo apt install pipewire-bin",
    },
  ];
}
