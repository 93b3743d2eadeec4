import type { EditFailure } from "./json-edit.ts";

export function editFailureText(path: string, text: string, failure: EditFailure): string {
  if (failure.why === "not-an-object") return `${path}: ${failure.at} is not what opencode expects there`;
  return `${path}, line ${text.slice(0, failure.offset).split("\n").length}: is not JSON`;
}
