/** A tool call as the scripted model makes it. */
export type ToolCall = { name: string; input: Record<string, unknown> };

/** What the model does with one prompt: rounds of tools one after another, each of one or more calls, and what follows them. */
export type Script =
  | { kind: "text"; text: string; finish: "stop" | "length"; inputTokens: number }
  | { kind: "tools"; rounds: ToolCall[][]; after: Script }
  | { kind: "http"; status: number; times: number; after: Script }
  | { kind: "slow"; chunkMs: number; chunks: number }
  | { kind: "hang" };

const keyword =
  /\[(plain|call|bash|read|glob|write|edit|todo|question|task|multi|together|http|slow|hang|usage|toolerr|length)((?:\s(?:beckon_\S+ \{.*\}|[^\]]*))?)\]/;

const plain = (text: string): Script => ({ kind: "text", text, finish: "stop", inputTokens: 100 });
const words = (rest: string) => rest.split(/\s+/).filter((word) => word !== "");
/** Not at a bar within braces: that one belongs to a subagent's prompt. */
const stepsOf = (list: string) => list.split(/\|(?![^{]*\})/);
const number = (word: string | undefined, fallback: number) => (word === undefined ? fallback : Number(word));

const todo: ToolCall = {
  name: "todowrite",
  input: {
    todos: [
      { content: "first thing", status: "completed", priority: "high" },
      { content: "second thing", status: "in_progress", priority: "medium" },
    ],
  },
};

const question: ToolCall = {
  name: "question",
  input: {
    questions: [
      {
        question: "Which colour do you prefer?",
        header: "Colour",
        options: [
          { label: "Red", description: "The warm one" },
          { label: "Blue", description: "The cold one" },
        ],
      },
    ],
  },
};

function toolCall(step: string): ToolCall | undefined {
  const [name = "", ...args] = words(step);
  const rest = args.join(" ");
  switch (name) {
    case "bash":
      return { name, input: { command: rest || "echo hello", description: "Runs a scripted command" } };
    case "read":
      return { name, input: { filePath: args[0] } };
    case "glob":
      return { name, input: { pattern: args[0] ?? "*" } };
    case "write":
      return { name, input: { filePath: args[0], content: "written by the scripted model\n" } };
    case "edit":
      return { name, input: { filePath: args[0], oldString: args[1], newString: args[2] } };
    case "todo":
      return todo;
    case "question":
      return question;
    case "task": {
      const prompt = (rest || "{plain}").replaceAll("{", "[").replaceAll("}", "]");
      return { name, input: { description: "Scripted subtask", prompt, subagent_type: "general" } };
    }
    case "call": {
      const [tool = "", ...json] = args;
      return { name: tool, input: JSON.parse(json.join(" ") || "{}") };
    }
    case "toolerr":
      return { name: "no_such_tool", input: { x: 1 } };
    default:
      return undefined;
  }
}

/** `bash a|read b|hang`: rounds of one call each. The first step that is no tool comes after them and ends the list. */
function oneAfterAnother(steps: string, ending = "All steps done."): Script {
  const rounds: ToolCall[][] = [];
  for (const step of stepsOf(steps)) {
    const call = toolCall(step);
    if (call === undefined) return { kind: "tools", rounds, after: parseScript(`[${step.trim()}]`) };
    rounds.push([call]);
  }
  return { kind: "tools", rounds, after: plain(ending) };
}

const allAtOnce = (steps: string): Script => {
  const calls = stepsOf(steps).map(toolCall);
  return { kind: "tools", rounds: [calls.filter((call) => call !== undefined)], after: plain("All done at once.") };
};

/** `[http CODE TIMES|bash a|read b]`: fails TIMES times (always when absent), then plays the steps. */
function failing(rest: string): Script {
  const [head = "", ...steps] = stepsOf(rest);
  const [status, times] = words(head);
  const after = steps.length > 0 ? oneAfterAnother(steps.join("|")) : plain("Recovered after another try.");
  return { kind: "http", status: number(status, 500), times: number(times, Number.POSITIVE_INFINITY), after };
}

/** True when the text has a keyword, so that it is the script of what follows it. */
export const hasScript = (prompt: string): boolean => keyword.test(prompt);

/** The script in a prompt: its first bracket keyword, else a line of text. The words: README.md beside this file. */
export function parseScript(prompt: string): Script {
  const [, name = "plain", tail = ""] = keyword.exec(prompt) ?? [];
  const rest = tail.trim();
  switch (name) {
    case "http":
      return failing(rest);
    case "slow":
      return { kind: "slow", chunkMs: number(words(rest)[0], 200), chunks: number(words(rest)[1], 100) };
    case "hang":
      return { kind: "hang" };
    case "usage":
      return { kind: "text", text: "A long way.", finish: "stop", inputTokens: number(words(rest)[0], 1000) };
    case "length":
      return { kind: "text", text: "This reply was cut", finish: "length", inputTokens: 100 };
    case "multi":
      return oneAfterAnother(rest);
    case "together":
      return allAtOnce(rest);
    case "plain":
      return plain("Hello from the scripted model.");
    default:
      return oneAfterAnother(`${name} ${rest}`, `Finished after the ${name} tool.`);
  }
}
