import { isRecord } from "../../../shared/is-record.ts";
import {
  bool,
  createCollector,
  type Document,
  type Imported,
  type NoCounterpart,
  takeSound,
  text,
} from "./imported.ts";

/**
 * `~/.config/opencode/kdco-notify.json` of kdcokenny/opencode-notify. Source: its README, and the keys its first
 * versions read (terminal, quietHours).
 */
export function fromOpencodeNotify(document: Document): Imported {
  const collect = createCollector(document);
  if (bool(collect.read("enabled")) === false)
    for (const kind of ["pause", "done", "error"]) collect.take("enabled: false", `alerts.${kind}.mode`, "none");
  if (bool(collect.read("suppressWhenFocused")) === false)
    collect.take("suppressWhenFocused: false", "alerts.focus.suppress", "none");
  else if (collect.has("suppressWhenFocused")) collect.take("suppressWhenFocused", "alerts.focus.suppress", "all");
  const sounds = collect.read("sounds");
  if (isRecord(sounds))
    takeSound(
      collect,
      "sounds",
      ["permission", "idle", "error"].map((name) => text(sounds[name])),
    );
  const quiet = collect.read("quietHours");
  if (isRecord(quiet) && quiet.enabled === true && isTime(quiet.start) && isTime(quiet.end)) {
    collect.take("quietHours", "alerts.quietHours", [{ from: quiet.start, to: quiet.end }]);
    collect.leave("quietHours", "here they drop voice and sound; banners stay");
  }
  return collect.finish(reasons);
}

const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);

const reasons: NoCounterpart = {
  notifyChildSessions: "a subagent's questions always call you; its end is its parent's business",
  terminal: "not needed: the terminal itself tells its focus",
};
