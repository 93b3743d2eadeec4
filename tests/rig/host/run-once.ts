import { type Exit, startChild } from "./child.ts";
import type { IsolatedHome } from "./isolated-home.ts";
import { hostProgram } from "./start-server.ts";

export type RunResult = Exit & { stdout: string; stderr: string };

/** `opencode run "…"`: resolves when it has ended by itself. */
export async function runOnce(
  home: IsolatedHome,
  prompt: string,
  env: Record<string, string> = {},
): Promise<RunResult> {
  const child = startChild(hostProgram(), ["run", prompt], { cwd: home.project, env: { ...home.env, ...env } });
  const late = setTimeout(() => void child.end(), 100_000);
  const exit = await child.exited;
  clearTimeout(late);
  return { ...exit, stdout: child.stdout(), stderr: child.stderr() };
}
