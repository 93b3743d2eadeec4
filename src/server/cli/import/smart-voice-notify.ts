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
 * `~/.config/opencode/smart-voice-notify.jsonc` of MasuRii/opencode-smart-voice-notify.
 * Source: its README, example.config.jsonc and published types up to 1.4.
 */
export function fromSmartVoiceNotify(document: Document): Imported {
  const collect = createCollector(document);
  takeModes(collect);
  takeFocus(collect);
  takeReminder(collect);
  takeWebhook(collect);
  return collect.finish(reasons);
}

const switches = {
  pause: ["enablePermissionNotification", "enableQuestionNotification"],
  done: ["enableIdleNotification"],
  error: ["enableErrorNotification"],
} as const;

function takeModes(collect: Collector): void {
  const enabled = collect.read("enabled");
  const isOff = enabled === false || enabled === "false" || enabled === "disabled";
  const mode = modeOf(collect);
  for (const kind of ["pause", "done", "error"] as const) {
    const keys = switches[kind];
    const set = keys.map((key) => bool(collect.read(key)) ?? true);
    if (isOff) collect.take("enabled", `alerts.${kind}.mode`, "none");
    else if (!set.includes(true)) collect.take(keys.join(", "), `alerts.${kind}.mode`, "none");
    else collect.take("notificationMode, enableTTS, enableDesktopNotification", `alerts.${kind}.mode`, mode);
    if (set.includes(true) && set.includes(false))
      collect.leave(keys.join(", "), "both are one kind here, and call you");
  }
  takeSounds(collect, mode);
}

/** «sound-first» speaks only as a reminder. */
function modeOf(collect: Collector): "both" | "banner" | "voice" | "none" {
  const flow = text(collect.read("notificationMode"));
  const speaks = (bool(collect.read("enableTTS")) ?? true) && (flow === "tts-first" || flow === "both");
  const shows = bool(collect.read("enableDesktopNotification")) ?? true;
  if (shows) return speaks ? "both" : "banner";
  return speaks ? "voice" : "none";
}

/** Sounds they bring along stay theirs. A sound here goes with a banner. */
function takeSounds(collect: Collector, mode: string): void {
  const isOn = bool(collect.read("enableSound")) ?? true;
  const sounds = ["permissionSound", "questionSound", "idleSound", "errorSound"].map((key) => text(collect.read(key)));
  const own = sounds.filter((sound) => sound !== undefined && !sound.startsWith("assets/"));
  if (!isOn || (mode !== "banner" && mode !== "both")) return;
  if (own.length > 0) takeSound(collect, "sound files", own);
  else collect.take("enableSound", "alerts.sound", true);
}

function takeFocus(collect: Collector): void {
  const always = bool(collect.read("alwaysNotify")) === true;
  const suppress = bool(collect.read("suppressWhenFocused"));
  if (always || suppress === false) collect.take("suppressWhenFocused, alwaysNotify", "alerts.focus.suppress", "none");
  else if (suppress === true) collect.take("suppressWhenFocused", "alerts.focus.suppress", "all");
}

function takeReminder(collect: Collector): void {
  const wanted = bool(collect.read("enableTTSReminder"));
  const own = collect.read("permissionReminderDelaySeconds");
  const seconds = wholeSeconds(own ?? collect.read("ttsReminderDelaySeconds"), 86_400);
  const more = bool(collect.read("enableFollowUpReminders"));
  const times = wholeSeconds(collect.read("maxFollowUpReminders"), 19);
  if (wanted !== true || seconds === undefined || seconds === 0) return;
  collect.take("permissionReminderDelaySeconds", "alerts.reminder.afterSeconds", seconds);
  if (more === true && times !== undefined) collect.take("maxFollowUpReminders", "alerts.reminder.times", times + 1);
}

/** Theirs are written for Discord; ours sends its own JSON, which Discord does not take. */
function takeWebhook(collect: Collector): void {
  const url = text(collect.read("webhookUrl"));
  const events = collect.read("webhookEvents");
  if (bool(collect.read("enableWebhook")) !== true || url === undefined || !URL.canParse(url)) return;
  if (/(^|\.)discord(app)?\.com$/.test(new URL(url).hostname)) {
    collect.leave("webhookUrl", "Discord takes its own JSON only; put a relay between, or use ntfy");
    return;
  }
  const kinds = { idle: "done", permission: "pause", question: "pause", error: "error" } as const;
  const named = Array.isArray(events) ? events : Object.keys(kinds);
  const wanted = [...new Set(Object.entries(kinds).flatMap(([event, kind]) => (named.includes(event) ? [kind] : [])))];
  collect.take("webhookUrl, webhookEvents", "alerts.push", [
    { type: "webhook", url, ...(wanted.length > 0 ? { events: wanted } : {}), afterSeconds: 0 },
  ]);
}

const speech = "voices are the system's own: say, spd-say, espeak-ng, Windows' speech";
const wording = "the sentences are fixed; locale chooses their language";
const reasons: NoCounterpart = {
  _configVersion: "theirs",
  $schema: "theirs",
  "ttsEngine*": speech,
  "elevenLabs*": speech,
  "edge*": speech,
  "sapi*": speech,
  "openaiTts*": speech,
  "enableVoiceCache*": speech,
  "voiceCache*": speech,
  "idleTTS*": wording,
  "idleReminderTTS*": wording,
  "permissionTTS*": wording,
  "permissionReminderTTS*": wording,
  "questionTTS*": wording,
  "questionReminderTTS*": wording,
  "errorTTS*": wording,
  "errorReminderTTS*": wording,
  "enableAI*": wording,
  "ai*": wording,
  "enableContextAwareAI*": wording,
  enableIdleReminder: "only what waits for you is said again",
  enableErrorReminder: "only what waits for you is said again",
  enablePermissionReminder: "one reminder setting for all that waits",
  enableQuestionReminder: "one reminder setting for all that waits",
  ttsReminderDelaySeconds: "permissionReminderDelaySeconds was taken",
  idleReminderDelaySeconds: "only what waits for you is said again",
  questionReminderDelaySeconds: "one reminder setting for all that waits",
  errorReminderDelaySeconds: "only what waits for you is said again",
  reminderBackoffMultiplier: "reminders come at equal times",
  permissionBatchWindowMs: "alerts.pause.settleMs tells several at once together",
  questionBatchWindowMs: "alerts.pause.settleMs tells several at once together",
  wakeMonitor: "your screen is left alone",
  forceVolume: "your volume is left alone",
  volumeThreshold: "your volume is left alone",
  idleThresholdSeconds: "alerts.focus.idleSeconds is another thing: when a focused terminal counts as left",
  enableToast: "no toasts in the terminal; alerts.terminal lets it raise alerts",
  desktopNotificationTimeout: "your desktop decides how long a banner stays",
  showProjectInNotification: "the title is the session's, else the project's folder",
  webhookUsername: "for Discord only",
  webhookMentionOnPermission: "for Discord only",
  soundThemeDir: "one sound stands for every kind of alert",
  randomizeSoundFromTheme: "one sound stands for every kind of alert",
  perProjectSounds: "one sound stands for every kind of alert",
  projectSoundSeed: "one sound stands for every kind of alert",
  debugLog: "BECKON_DEBUG=1 writes beckon.log",
};
