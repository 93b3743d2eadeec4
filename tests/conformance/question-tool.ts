import { allowed } from "./allowed.ts";
import { type Call, type EngineDeps, said, type ToolResult } from "./engine.ts";
import type { FormField } from "./form-registry.ts";

type Question = {
  question: string;
  header?: string;
  multiple?: boolean;
  options?: { label: string; description?: string }[];
};

const isQuestion = (value: unknown): value is Question =>
  typeof value === "object" && value !== null && "question" in value && typeof value.question === "string";

/** §4.4: `title` is the short header, `description` the whole question. */
function field({ question, header, multiple, options }: Question, index: number): FormField {
  return {
    key: `q${index}`,
    type: multiple === true ? "multiselect" : "string",
    ...(header === undefined ? {} : { title: header }),
    description: question,
    custom: true,
    options: (options ?? []).map(({ label, description }) => ({
      value: label,
      label,
      ...(description === undefined ? {} : { description }),
    })),
  };
}

/** §4.4: one form a call; the tool also passes a permission check with action `question`. */
export async function questionTool(deps: EngineDeps, call: Call): Promise<ToolResult> {
  const { session, message, part, run } = call;
  const questions = Array.isArray(call.input.questions) ? call.input.questions.filter(isQuestion) : [];
  await allowed(
    deps,
    call,
    "question",
    questions.map(({ question }) => question),
  );
  const metadata = { kind: "question", tool: { messageID: message.id, id: part.id } };
  const form = { owner: session, title: "Questions", metadata, fields: questions.map(field) };
  const result = await deps.forms.create(form, run.signal).result;
  if (result === "cancelled") {
    run.stop(deps.options.dismissReason);
    run.signal.throwIfAborted();
    return said("");
  }
  return said(`The user answered: ${JSON.stringify(result.answer)}`);
}
