import type { Environment } from "../../delivery/find-program.ts";
import type { RunProgram } from "../../delivery/run-program.ts";

/** `undefined` for an option this tmux does not know or does not tell. */
export type TmuxFacts = { version: string; focusEvents: boolean | undefined; passthrough: boolean | undefined };

/** Asks the tmux this command runs in; undefined outside of one. */
export async function gatherTmux(env: Environment, runProgram: RunProgram): Promise<TmuxFacts | undefined> {
  if (!env.TMUX) return undefined;
  const ask = async (...args: string[]): Promise<string | undefined> => {
    const answer = await runProgram({ program: "tmux", args, env, deadlineMs: 3_000 });
    return answer.ok ? answer.value.trim() : undefined;
  };
  const [version, focusEvents, passthrough] = await Promise.all([
    ask("-V"),
    ask("show-options", "-gv", "focus-events"),
    ask("show-options", "-gwv", "allow-passthrough"),
  ]);
  return {
    version: version?.replace(/^tmux /, "") ?? "unknown",
    focusEvents: focusEvents === undefined ? undefined : focusEvents === "on",
    passthrough: passthrough === undefined || passthrough === "" ? undefined : passthrough !== "off",
  };
}
