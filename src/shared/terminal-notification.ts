import type { TerminalProtocol } from "./terminal-protocol.ts";
import { cleanBody, cleanTitle } from "./text.ts";

export type TerminalNotification = { key: string; title: string; body: string; urgency: "low" | "normal" | "critical" };

/** What stands between us and the terminal and wants sequences wrapped. */
export type Multiplexer = "tmux" | "screen";

const escapeSign = "\u001b";
const stringEnd = `${escapeSign}\\`;
const bell = "\u0007";
const urgencies = { low: 0, normal: 1, critical: 2 } as const;
const queryID = "beckon.query";
/** Source: kitty's desktop notification protocol, limit of one payload before encoding, bytes. */
const mostPayload = 2_048;
/** What GNU screen keeps of one string, signs; the rest it would print. Source: its `MAXSTR`, 768 with the ending. */
const mostScreenString = 767;
const mostScreenPayload = 384;

/**
 * What to write so that the terminal raises an alert: whole sequences, and nothing of the texts can end one early.
 * Only OSC 99 knows ids: there the same key replaces, and `takeBackBytes` takes back.
 */
export function raiseBytes(given: TerminalNotification, by: TerminalProtocol, through?: Multiplexer): string {
  if (by === "bell") return bell;
  const carried = through === "screen" && by !== "osc99" ? forScreen : (text: string) => text;
  const title = cleanTitle(carried(cleanTitle(given.title))) || "opencode";
  const body = cleanBody(carried(cleanBody(given.body)));
  const commands = commandsOf({ ...given, title, body }, by, through === "screen" ? mostScreenPayload : mostPayload);
  const isTooLong = through === "screen" && commands.some((command) => command.length > mostScreenString - overhead);
  return isTooLong ? bell : commands.map((command) => wrap(command, through)).join("") + mark(through);
}

function commandsOf(note: TerminalNotification, by: Exclude<TerminalProtocol, "bell">, payload: number): string[] {
  const { title, body } = note;
  if (by === "osc99") return osc99(note, payload);
  if (by === "osc777") return [`777;notify;${field(title)};${field(body)}`];
  return [`9;${lettered(body === "" ? title : `${title}: ${oneLine(body)}`)}`];
}

/**
 * GNU screen 4.9 keeps of each sign in a string the lowest byte alone: U+4E07 would become a bell, U+011B an escape. Where
 * a plain letter is beneath, that stays.
 */
const forScreen = (text: string): string =>
  text.replace(/[^\n -~\u00a0-\u00ff]+/gu, (foreign) => foreign.normalize("NFKD").replace(/[^ -~]+/g, ""));

/** Undefined where the terminal knows no ids. */
export const takeBackBytes = (key: string, by: TerminalProtocol, through?: Multiplexer): string | undefined =>
  by === "osc99" ? wrap(`99;i=${idOf(key)}:p=close;`, through) : undefined;

/** A terminal that knows OSC 99 answers this, and `isOsc99Answer` knows the answer; others keep silent. */
export const osc99Query = `${escapeSign}]99;i=${queryID}:p=?;${stringEnd}`;
export const isOsc99Answer = (sequence: string): boolean =>
  sequence.startsWith(`${escapeSign}]99;`) && /[;:]i=beckon\.query[;:]/.test(sequence);

/** An id of the protocol's alphabet; what does not fit is written as its code. Keys stay different. */
export const idOf = (key: string): string =>
  `beckon.${key.replace(/[^A-Za-z0-9_.-]/gu, (sign) => `+${(sign.codePointAt(0) ?? 0).toString(16)}+`)}`;

function osc99({ key, title, body, urgency }: TerminalNotification, most: number): string[] {
  const head = `i=${idOf(key)}:e=1`;
  const chunks = [
    ...payloads(title, most).map((text) => ["title", text]),
    ...payloads(body, most).map((text) => ["body", text]),
  ];
  return chunks.map(([part, text = ""], at) => {
    const isLast = at === chunks.length - 1;
    return `99;${head}:d=${isLast ? 1 : 0}:p=${part}${isLast ? `:u=${urgencies[urgency]}` : ""};${base64(text)}`;
  });
}

function payloads(text: string, most: number): string[] {
  const parts: string[] = [];
  let part = "";
  for (const sign of text) {
    if (utf8(part + sign).length > most) {
      parts.push(part);
      part = "";
    }
    part += sign;
  }
  return part === "" ? parts : [...parts, part];
}

/** Of what stands around a command in screen's string. */
const overhead = `${escapeSign}]${bell}`.length;

/** `screen` ends its wrapper at the first string end, so a sequence inside ends in a bell. */
function wrap(command: string, through: Multiplexer | undefined): string {
  if (through === "screen") return `${escapeSign}P${escapeSign}]${command}${bell}${stringEnd}`;
  const sequence = `${escapeSign}]${command}${stringEnd}`;
  return through === "tmux"
    ? `${escapeSign}Ptmux;${sequence.replaceAll(escapeSign, escapeSign + escapeSign)}${stringEnd}`
    : sequence;
}

/** tmux drops what is wrapped unless `allow-passthrough` is on; a bell marks the window always. */
const mark = (through: Multiplexer | undefined): string => (through === "tmux" ? bell : "");

const oneLine = (text: string): string => text.replaceAll("\n", " ");
const field = (text: string): string => oneLine(text).replaceAll(";", ",");

/** ConEmu and its heirs take digits at the start of an OSC 9 for a command of theirs. */
const lettered = (text: string): string => (/^\p{L}/u.test(text) ? text : `opencode: ${text}`);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const base64 = (text: string): string => btoa(String.fromCharCode(...utf8(text)));
