import { systemClock } from "../../../shared/clock.ts";
import { guarded, promising } from "../../../shared/guard.ts";
import { callContract } from "../../../shared/plugin-call.ts";
import { compose } from "../../runtime/compose.ts";
import type { RawInput } from "../../runtime/raw-input.ts";
import type { Tool } from "../../tools/tool.ts";
import { fields, identity } from "../read.ts";
import { catchUp } from "./catch-up.ts";
import { translateHook } from "./hooks.ts";
import { isV2Context, type V2Context } from "./host.ts";
import { startPump } from "./pump.ts";
import { createQueries } from "./queries.ts";
import { translate } from "./translate.ts";

type Hear = (event: ReturnType<typeof translate>, raw: RawInput) => void;
type Cleanup = () => Promise<void>;

/**
 * The server part on opencode 2.x: one call for each location, each hearing every event of the process
 * (opencode 2.0.26). A context without events is left quietly.
 */
export const setup: (context: unknown) => Promise<Cleanup | undefined> = promising<[unknown], Cleanup | undefined>(
  "server part",
  undefined,
  start,
);

async function start(context: unknown): Promise<Cleanup | undefined> {
  if (!isV2Context(context)) return undefined;
  const { registration, tools } = compose({
    line: "v2",
    directory: context.location?.directory ?? "",
    queries: createQueries(context, (answer) => registration.runtime()?.overhear(answer)),
  });
  /** What is not for us is not for a recording either. */
  const hear: Hear = (event, raw) => {
    if (event === undefined) return;
    registration.runtime()?.overhear(raw, event);
    registration.receive(event);
  };
  const problem = (text: string): void => registration.runtime()?.problem(text);
  const askMissed = guarded("catching up", async () => {
    const state = registration.isLeader() ? registration.runtime()?.state : undefined;
    const at = { wall: systemClock.wall(), now: systemClock.now() };
    if (state === undefined) return;
    await catchUp({ context, sessions: state.sessions.values(), receive: registration.receive, ...at });
  });
  const pump = startPump({
    clock: systemClock,
    log: problem,
    subscribe: (signal) => context.event.subscribe({ signal }),
    hear: (event) => hear(translate(event), { kind: "event", event }),
    caughtUp: askMissed,
  });
  askMissed(); // between an earlier instance's cleanup and this moment nobody may have heard (hot reload)
  const offReports = await register(context, tools, hear, registration.runtime, problem);
  return promising("cleanup", undefined, async () => {
    offReports();
    await Promise.all([pump.stop(), registration.leave({ settle: false })]);
  });
}

/** Each registration on its own: a host that lacks one, or refuses one, keeps the others. */
async function register(
  context: V2Context,
  tools: readonly Tool[],
  hear: Hear,
  runtime: ReturnType<typeof compose>["registration"]["runtime"],
  problem: (text: string) => void,
): Promise<() => void> {
  const quietly = async (what: string, work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      problem(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  /** A throw would break the host's own operation. */
  const onHook = (hook: string) =>
    guarded(`hook ${hook}`, (event: unknown) => hear(translateHook(hook, event), { kind: "hook", hook, input: event }));
  let offReports = () => {};
  await Promise.all([
    quietly("prompt hook", () => context.session.hook?.("prompt", onHook("session.prompt"))),
    quietly("tool hook", () => context.tool?.hook?.("execute.after", onHook("tool.execute.after"))),
    quietly("tools", () =>
      context.tool?.transform?.(
        guarded("tools", (editor) => {
          for (const tool of tools) editor.add(hosted(tool));
        }),
      ),
    ),
    quietly("plugin calls", async () => {
      const reports = runtime()?.reports;
      if (reports === undefined) return;
      const registered = await context.rpc?.register?.(callContract, reports.handlers);
      const emit = registered?.events?.emit;
      if (emit !== undefined) offReports = reports.connect((event, data) => emit.call(registered?.events, event, data));
    }),
  ]);
  return offReports;
}

const hosted = ({ name, description, parameters, run }: Tool) => ({
  name,
  description,
  input: parameters,
  options: { codemode: false as const },
  execute: async (input: unknown, call: unknown) => ({
    content: await run(input, { sessionID: identity(fields(call).sessionID) ?? "" }),
  }),
});
