import { execFile } from "node:child_process";
import { guarded } from "../shared/guard.ts";
import type { WayForward } from "./ways-forward.ts";

const deadlineMs = 2_000;

/** Tries the ways in turn, without a shell. True when a program that raises windows said it did. Never rejects. */
export async function bringForward(ways: readonly WayForward[], env: NodeJS.ProcessEnv): Promise<boolean> {
  let raised = false;
  for (const way of ways) {
    if (raised && way.does === "window") continue;
    const done = await run(way, env);
    raised ||= done && way.does !== "pane";
  }
  return raised;
}

const run = ({ program, args }: WayForward, env: NodeJS.ProcessEnv): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const told = guarded("window", (error: Error | null) => resolve(error === null));
      execFile(program, [...args], { env, timeout: deadlineMs, windowsHide: true }, told).unref();
    } catch {
      resolve(false); // Bun throws where Node calls back
    }
  });
