import { fail, ok, type Result } from "../../shared/result.ts";
import { cleanTitle } from "../../shared/text.ts";
import { mute, muteFileSource, unmute } from "../config/mute-file.ts";
import type { Answer } from "./config-command.ts";
import { exitCode } from "./exit-code.ts";

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const longestQuote = 60;
const longestMs = 7 * units.d;
const usage = "expected a time such as 30m, 1h30m or 2d, «until 18:00», or off";

/** `30m`, `until 18:00`, `off`, or nothing: how it stands. Counts for every opencode of this user. */
export async function muteCommand(
  words: readonly string[],
  { path, wall }: { path: string; wall: number },
): Promise<Answer> {
  const [first, ...rest] = words;
  if (first === undefined) return standing(path, wall);
  if (first === "off" && rest.length === 0) {
    const done = await unmute(path);
    return done.ok ? say("Not muted.") : say(done.error.message, exitCode.finding);
  }
  const until = readUntil(words, wall);
  if (!until.ok) return say(until.error, exitCode.usage);
  const muted = await mute(path, until.value);
  return muted.ok ? say(`Muted ${untilWords(until.value, wall)}.`) : say(muted.error.message, exitCode.finding);
}

const say = (text: string, code: number = exitCode.done): Answer => ({ text, exitCode: code });

async function standing(path: string, wall: number): Promise<Answer> {
  const state = await muteFileSource(path)();
  if (state.kind === "unreadable") return say(`Not muted: ${state.why}`, exitCode.finding);
  return say(state.kind === "until" && state.until > wall ? `Muted ${untilWords(state.until, wall)}.` : "Not muted.");
}

/** Until when, epoch ms. `wall`: now. */
export function readUntil(words: readonly string[], wall: number): Result<number, string> {
  const isUntil = words[0] === "until";
  const text = (isUntil ? words.slice(1) : words).join(" ");
  const until = isUntil ? clockTime(text, wall) : wall + (durationMs(text) ?? Number.NaN);
  const expected = (what: string) => fail(`${what}, found "${cleanTitle(words.join(" "), longestQuote)}"`);
  if (until === undefined || !Number.isFinite(until) || until === wall) return expected(usage);
  if (until < wall) return expected("expected a time to come");
  return until - wall > longestMs ? expected("expected at most 7 days") : ok(until);
}

/** `1h30m` → ms */
function durationMs(text: string): number | undefined {
  const parts = [...text.replaceAll(" ", "").matchAll(/(\d{1,6})([smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.replaceAll(" ", "")) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (isUnit(unit) ? units[unit] : 0), 0);
}

const isUnit = (unit: string | undefined): unit is keyof typeof units => unit !== undefined && unit in units;

/** The next time a clock on the wall shows this, local time; or an exact time in ISO 8601. */
function clockTime(text: string, wall: number): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) return /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : undefined;
  const at = new Date(wall);
  at.setHours(Number(hours), Number(minutes), 0, 0);
  if (at.getTime() <= wall) at.setDate(at.getDate() + 1);
  return at.getTime();
}

/** «until 18:00, for 2 h 5 min»; with the date when that is not today. */
function untilWords(until: number, wall: number): string {
  const [at, now] = [new Date(until), new Date(wall)];
  const two = (count: number) => String(count).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `;
  const day = at.toDateString() === now.toDateString() ? "" : date;
  const minutes = Math.ceil((until - wall) / units.m);
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60];
  const parts = [days > 0 ? `${days} d` : "", hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""];
  return `until ${day}${two(at.getHours())}:${two(at.getMinutes())}, for ${parts.filter((part) => part !== "").join(" ")}`;
}
