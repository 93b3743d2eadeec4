import type { Trigger } from "../../core/event.ts";
import { fields } from "../read.ts";

/**
 * Who wrote a part of a prompt. Undefined for what says nothing about it: a file, and a text the model never reads
 * (`ignored`), which is how plugins leave a notice in a session (opencode 1.18.33).
 */
export function writerOf(part: unknown): Trigger | undefined {
  const { type, synthetic, ignored } = fields(part);
  if (type === "compaction") return "synthetic";
  if (type !== "text" || ignored === true) return undefined;
  return synthetic === true ? "synthetic" : "typed";
}

/** Typed, unless all that is said comes from the host; a file alone is a person's. Undefined: a notice, nobody's prompt. */
export function promptTrigger(parts: readonly unknown[]): Trigger | undefined {
  if (isNotice(parts)) return undefined;
  const writers = parts.map(writerOf).filter((writer) => writer !== undefined);
  return writers.length > 0 && !writers.includes("typed") ? "synthetic" : "typed";
}

/** Nothing but texts the model never reads. */
export const isNotice = (parts: readonly unknown[]): boolean =>
  parts.length > 0 && parts.map(fields).every(({ type, ignored }) => type === "text" && ignored === true);
