import { cleanBody, plainMarkdown } from "../../shared/text.ts";
import { inactivityError } from "./errors.ts";
import type { Wording } from "./wording/wording.ts";

export type OpenRequest = { requestID: string; about: "permission" | "question"; label?: string; count: number };

/** What is to be told, before it has words. */
export type AlertContent =
  | { kind: "pause"; requests: readonly OpenRequest[] }
  | { kind: "done"; workedMs: number }
  | { kind: "error"; name: string }
  | { kind: "error"; attempt: number };

const longestLabel = 60;

/** A header or an action word, never a prompt, command, path or secret. */
const label = (text: string | undefined): string | undefined => {
  const clean = cleanBody(plainMarkdown(text ?? "")).replaceAll("\n", " ");
  return clean === "" ? undefined : [...clean].slice(0, longestLabel).join("");
};

/** An action or an error's name is one word; whatever a host appends to it is not for a banner. */
const firstWord = (text: string | undefined): string | undefined => label(text)?.split(/\s/, 1)[0];

/** One sentence; with `detail: "none"` only the kind and the number of requests. */
export function sentence(content: AlertContent, wording: Wording, detail: "short" | "none"): string {
  const short = detail === "short";
  switch (content.kind) {
    case "pause":
      return pauseSentence(content.requests, wording, short);
    case "done":
      return short ? wording.done(content.workedMs) : wording.done();
    case "error":
      if ("attempt" in content) return short ? wording.stuck(content.attempt) : wording.stuck();
      if (content.name === inactivityError) return wording.inactive();
      return short ? wording.error(firstWord(content.name)) : wording.error();
  }
}

function pauseSentence(requests: readonly OpenRequest[], wording: Wording, short: boolean): string {
  const [only, ...more] = requests;
  if (only === undefined || more.length > 0) return wording.requests(requests.length);
  if (only.about === "permission") return wording.permission(short ? firstWord(only.label) : undefined);
  if (only.count > 1) return wording.questions(only.count);
  return wording.question(short ? label(only.label) : undefined);
}
