import { wordedDecisions } from "../../src/server/cli/why-words.ts";
import { plainValue, readTree } from "../../src/server/config/json-text.ts";
import { parseConfig } from "../../src/server/config/parse.ts";
import { isRecord } from "../../src/shared/is-record.ts";
import {
  readFromObserver,
  readFromTerminal,
  readHello,
  readToObserver,
  readToTerminal,
} from "../../src/shared/protocol.ts";
import { readDescriptor } from "../../src/shared/rendezvous.ts";

/** A block holds one value, or several that each begin at the start of a line. */
export const valuesOf = (text: string): string[] => (readTree(text).ok ? [text] : text.split(/\n(?=\{)/));

/** What is wrong with a value a page prints, by what it shows itself to be; undefined when it would be taken. */
export function complaintAbout(text: string): string | undefined {
  const tree = readTree(text);
  if (!tree.ok) return `line ${tree.error.at.line}: expected ${tree.error.expected}`;
  const value = plainValue(tree.value);
  if (!isRecord(value)) return "not an object";
  if (["plugin", "plugins", "attention"].some((key) => key in value)) return hostConfig(value);
  if (typeof value.type === "string") return frames.some((read) => read(text).ok) ? undefined : "not a frame";
  if ("token" in value) return readDescriptor(text).ok ? undefined : "not a descriptor";
  if ("outcome" in value) return isDecision(value) ? undefined : "not a decision";
  const config = parseConfig(text);
  return config.ok ? undefined : JSON.stringify(config.error);
}

const frames = [readHello, readFromTerminal, readFromObserver, readToTerminal, readToObserver];
const hostKeys = new Set(["$schema", "plugin", "plugins", "attention", "plugin_enabled", "model"]);

const hostConfig = (value: Record<string, unknown>): string | undefined =>
  Object.keys(value).find((key) => !hostKeys.has(key));

const isDecision = ({ outcome, reason }: Record<string, unknown>): boolean =>
  wordedDecisions.some((known) => known.outcome === outcome && known.reason === reason);
