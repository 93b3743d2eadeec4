import { printableJSON } from "../../shared/text.ts";
import type { Position } from "./json-text.ts";

/** One thing that is wrong in a configuration: which key, what was expected, what was found. */
export type Finding = {
  /** `alerts.done.mode`; empty for the file as a whole. */
  key: string;
  at?: Position;
  expected: string;
  found: string;
  /** The key that was probably meant. */
  meant?: string;
};

/** `empty`, `too-large` and `not-json` have one finding; `invalid` has one a wrong key. */
export type ConfigProblem = { kind: "empty" | "too-large" | "not-json" | "invalid"; findings: readonly Finding[] };

export function findingText({ key, at, expected, found, meant }: Finding): string {
  const place = at === undefined ? "" : `line ${at.line}, column ${at.column}`;
  const where = key === "" ? place : `${key}${place === "" ? "" : ` (${place})`}`;
  const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return `${where === "" ? "" : `${where}: `}expected ${expected}, found ${found}${hint}`;
}

/** Every finding, on one line. */
export const problemText = ({ findings }: ConfigProblem): string => findings.map(findingText).join("; ");

/** `alerts.push[0].url` */
export const keyText = (path: readonly (string | number)[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${plainStep(step)}`))
    .join("")
    .replace(/^\./, "");

const plainStep = (step: string) => (/^[\w$-]{1,64}$|^\(a key\)$/.test(step) ? step : shortText(step));

/** Text from outside as a quoted, single-line, bounded word. */
export const shortText = (text: string): string => {
  const points = [...text];
  const short = points.length > 40 ? `${points.slice(0, 40).join("")}…` : text;
  return printableJSON(short);
};
