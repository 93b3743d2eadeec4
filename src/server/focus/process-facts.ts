import { readFile } from "node:fs/promises";
import { type ProcessFacts, processStart } from "../../shared/process-start.ts";

/** What the system says about a pid. Without `/proc` the start stays unknown and the pid alone counts. */
export async function processFacts(pid: number): Promise<ProcessFacts> {
  if (!isAlive(pid)) return { alive: false, startedAt: undefined };
  try {
    const [process, system] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/stat", "utf8"),
    ]);
    return { alive: true, startedAt: processStart(process, system) };
  } catch {
    return { alive: true, startedAt: undefined };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's, but alive
  }
}
