import { findingText } from "../../config/finding.ts";
import { type JsonProblem, readLenient } from "../../config/json-text.ts";

/** Why one of opencode's files is left alone; `at`: what is not as opencode wants it. */
export type EditFailure = { why: "not-json"; problem: JsonProblem } | { why: "not-an-object"; at: string };

/** Undefined where it can be edited. */
export function whatIsWrong(text: string): EditFailure | undefined {
  const tree = readLenient(text);
  if (!tree.ok) return { why: "not-json", problem: tree.error };
  return tree.value.type === "object" ? undefined : { why: "not-an-object", at: "the file" };
}

export function editFailureText(path: string, failure: EditFailure): string {
  if (failure.why === "not-an-object") return `${path}: ${failure.at} is not what opencode expects there`;
  return `${path} is not JSON: ${findingText({ key: "", ...failure.problem })}`;
}
