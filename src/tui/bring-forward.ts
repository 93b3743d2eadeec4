import { execFile } from "node:child_process";
import type { WayForward } from "./ways-forward.ts";

const deadlineMs = 2_000;

/** Tries every way in turn, without a shell. True when a program that raises windows said it did. Never rejects. */
export async function bringForward(ways: readonly WayForward[]): Promise<boolean> {
  let raised = false;
  for (const way of ways) {
    if (way.window && raised) continue;
    const done = await run(way);
    raised ||= done && way.window;
  }
  return raised;
}

const run = ({ program, args }: WayForward): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const child = execFile(program, [...args], { timeout: deadlineMs, windowsHide: true }, (error) =>
        resolve(error === null),
      );
      child.unref();
    } catch {
      resolve(false); // Bun throws where Node calls back
    }
  });
