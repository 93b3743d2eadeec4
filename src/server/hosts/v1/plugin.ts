import { answering, guarded, promising } from "../../../shared/guard.ts";
import { compose } from "../../runtime/compose.ts";
import type { RawInput } from "../../runtime/raw-input.ts";
import { argumentShape } from "../../tools/argument-shape.ts";
import { promptSection } from "../../tools/prompt-section.ts";
import type { Tool } from "../../tools/tool.ts";
import { fields, identity } from "../read.ts";
import { translateHook } from "./hooks.ts";
import { isV1Input } from "./host.ts";
import { createQueries } from "./queries.ts";
import { translate } from "./translate.ts";

export type V1Hooks = {
  event?(input: { event: unknown }): void;
  "chat.message"?(input: unknown, output: unknown): Promise<void>;
  "tool.execute.after"?(input: unknown, output: unknown): Promise<void>;
  "experimental.chat.system.transform"?(input: unknown, output: unknown): Promise<void>;
  tool?: Record<string, V1Tool>;
  dispose?(): Promise<void>;
};

type V1Tool = { description: string; args: object; execute(args: unknown, context: unknown): Promise<string> };

/**
 * The server part on opencode 1.18. Hooks take note and return at once: the host neither awaits nor catches `event`,
 * and a rejection would end it (opencode 1.18.33). Always an object: `undefined` breaks the host.
 */
export const server: (input: unknown) => V1Hooks = answering<[unknown], V1Hooks>("server part", {}, start);

function start(input: unknown): V1Hooks {
  if (!isV1Input(input)) return {};
  const { registration, tools } = compose({
    line: "v1",
    directory: input.directory ?? input.worktree ?? "",
    queries: createQueries(input.client, (answer) => registration.runtime()?.overhear(answer)),
  });
  /** What is not for us is not for a recording either. */
  const hear = (event: ReturnType<typeof translate>, raw: RawInput): void => {
    if (event === undefined) return;
    registration.runtime()?.overhear(raw, event);
    registration.receive(event);
  };
  const hearHook = (hook: string) =>
    promising("hook", undefined, (input: unknown, output: unknown) =>
      hear(translateHook(hook, input, output), { kind: "hook", hook, input, output }),
    );
  return {
    event: guarded("event", ({ event }) => {
      const heard = translate(event);
      if (heard !== undefined) hear(heard, { kind: "event", event });
    }),
    // These the host awaits, so each gives the promise its declaration promises; none does anything later.
    "chat.message": hearHook("chat.message"),
    "tool.execute.after": hearHook("tool.execute.after"),
    "experimental.chat.system.transform": promising("prompt", undefined, (_input, output) => addPromptSection(output)),
    tool: Object.fromEntries(tools.map((tool) => [tool.name, hosted(tool)])),
    dispose: promising("dispose", undefined, () => registration.leave({ settle: true })),
  };
}

const hosted = (tool: Tool): V1Tool => ({
  description: tool.description,
  args: argumentShape(tool),
  execute: (args, context) => tool.run(args, { sessionID: identity(fields(context).sessionID) ?? "" }),
});

/** The host hands the system prompt's parts over as a list to add to. */
function addPromptSection(output: unknown): void {
  const { system } = fields(output);
  if (Array.isArray(system)) system.push(promptSection);
}
