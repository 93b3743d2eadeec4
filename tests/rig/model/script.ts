/** A tool call as the scripted model makes it. */
export type ToolCall = { name: string; input: Record<string, unknown> };

/** What the model does with one prompt. `rounds` are answered one after another, each may hold several calls at once. */
export type Script =
  | { kind: "text"; text: string; finish: "stop" | "length"; inputTokens: number }
  | { kind: "tools"; rounds: ToolCall[][]; ending: string }
  | { kind: "http"; status: number; times: number; then: Script }
  | { kind: "slow"; chunkMs: number; chunks: number }
  | { kind: "hang" };

const keyword =
  /\[(plain|bash|read|glob|write|edit|todo|question|task|multi|together|http|slow|hang|usage|toolerr|length)((?:\s[^\]]*)?)\]/;

const plain = (text: string): Script => ({ kind: "text", text, finish: "stop", inputTokens: 100 });
const words = (rest: string) => rest.split(/\s+/).filter((word) => word !== "");
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
    case "toolerr":
      return { name: "no_such_tool", input: { x: 1 } };
    default:
      return undefined;
  }
}

const calls = (steps: string): ToolCall[] =>
  steps
    .split("|")
    .map(toolCall)
    .filter((call) => call !== undefined);

const oneAfterAnother = (steps: string, ending = "All steps done."): Script => ({
  kind: "tools",
  rounds: calls(steps).map((call) => [call]),
  ending,
});

/** `[http CODE TIMES|bash echo a|read b]`: fails TIMES times (always when absent), then plays the steps. */
function failing(rest: string): Script {
  const [head = "", ...steps] = rest.split("|");
  const [status, times] = words(head);
  const then = steps.length > 0 ? oneAfterAnother(steps.join("|")) : plain("Recovered after another try.");
  return { kind: "http", status: number(status, 500), times: number(times, Number.POSITIVE_INFINITY), then };
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
      return { kind: "tools", rounds: [calls(rest)], ending: "All done at once." };
    case "plain":
      return plain("Hello from the scripted model.");
    default:
      return oneAfterAnother(`${name} ${rest}`, `Finished after the ${name} tool.`);
  }
}
