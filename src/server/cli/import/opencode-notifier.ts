import { isRecord } from "../../../shared/is-record.ts";
import {
  bool,
  type Collector,
  createCollector,
  type Document,
  type Imported,
  type NoCounterpart,
  takeSound,
  text,
  wholeSeconds,
} from "./imported.ts";

/**
 * `~/.config/opencode/opencode-notifier.json` of @mohak34/opencode-notifier.
 * Source: its README and change log up to 0.8.1 (October 2026).
 */
export function fromOpencodeNotifier(document: Document): Imported {
  const collect = createCollector(document);
  takeEvents(collect);
  takeFocus(collect);
  const seconds = wholeSeconds(collect.read("minDuration"), 86_400);
  if (seconds !== undefined && seconds > 0) collect.take("minDuration", "alerts.done.minSeconds", seconds);
  return collect.finish(reasons);
}

const kindOf = { permission: "pause", question: "pause", complete: "done", error: "error" } as const;
const eventNames = ["permission", "question", "complete", "error"] as const;
const otherEvents: NoCounterpart = {
  subagent_complete: "a subagent's end is its parent's business; alerts.done.delegated is the nearest",
  user_cancelled: "you were there when you pressed Esc",
  plan_exit: "a plan that waits is a question, and calls you as one",
  session_started: "only what needs you calls you",
  user_message: "only what needs you calls you",
  client_connected: "only what needs you calls you",
};

function takeEvents(collect: Collector): void {
  const banners = bool(collect.read("notification")) ?? true;
  const plays = bool(collect.read("sound")) ?? true;
  const events = collect.read("events");
  const settings = isRecord(events) ? events : {};
  const wanted = (event: string, what: "notification" | "sound", byDefault: boolean): boolean => {
    const setting = settings[event];
    return byDefault && (bool(setting) ?? bool(isRecord(setting) ? setting[what] : undefined) ?? true);
  };
  for (const kind of ["pause", "done", "error"] as const) {
    const own = eventNames.filter((event) => kindOf[event] === kind);
    const shown = own.filter((event) => wanted(event, "notification", banners));
    if (shown.length === 0) collect.take(`events.${own.join(", events.")}`, `alerts.${kind}.mode`, "none");
    else if (shown.length < own.length)
      collect.leave(`events.${own.join(", events.")}`, "a question and a permission are one kind here: both call you");
  }
  for (const event of Object.keys(settings).filter((name) => Object.hasOwn(otherEvents, name)))
    if (wanted(event, "notification", banners)) collect.leave(`events.${event}`, otherEvents[event] ?? "");
  takeSounds(
    collect,
    eventNames.some((event) => wanted(event, "sound", plays)),
  );
}

function takeSounds(collect: Collector, isOn: boolean): void {
  const sounds = collect.read("sounds");
  const files = isRecord(sounds) ? eventNames.map((event) => text(sounds[event])) : [];
  if (!isOn) return;
  if (files.some((file) => file !== undefined)) takeSound(collect, "sounds", files);
  else collect.take("sound", "alerts.sound", true);
}

/** Theirs silences sounds too; a list names what is silenced. */
function takeFocus(collect: Collector): void {
  const value = collect.read("suppressWhenFocused");
  if (value === undefined) return;
  const suppress = value === false ? "none" : Array.isArray(value) && !value.includes("sound") ? "banner" : "all";
  collect.take("suppressWhenFocused", "alerts.focus.suppress", suppress);
}

const reasons: NoCounterpart = {
  bell: "no bell; alerts.terminal lets the terminal raise alerts",
  timeout: "your desktop decides how long a banner stays",
  showProjectName: "the title is the session's, else the project's folder",
  showFullPath: "no path is ever shown",
  showSessionTitle: "the title is the session's, else the project's folder",
  showIcon: "banners carry no icon",
  customIconPath: "banners carry no icon",
  notificationTitle: "the title is the session's, else the project's folder",
  enableOnDesktop: "alerts are made in the server, for every client",
  notificationSystem: "the best program there is takes the banner; alerts.terminal is for the terminal",
  suppressGhosttySound: "not needed: no sound unless alerts.sound is set",
  linux: "a session has one banner, replaced by its newest state; its click needs no setting",
  messages: "the sentences are fixed; locale chooses their language, alerts.detail how much they say",
  volumes: "your system's volume",
  command: "no commands; alerts.push calls an address of yours",
  onClickCommand: "no commands; a click takes you to the terminal",
  focusOnClick: "a click takes you to the terminal where that is possible",
  deferCompleteUntilChildrenIdle: "always so: one alert when the last subagent has ended",
  deferredCompleteTimeout: "a subagent nobody has heard of for 30 minutes counts as ended",
  $schema: "theirs",
};
