import { readdirSync, readFileSync } from "node:fs";

type Process = { pid: number; state: string; name: string };

export const childrenOfThisProcess = (): Process[] => childrenOf(process.pid);

/** Direct children of a process that are still there, zombies included. Linux. */
export function childrenOf(parentPid: number): Process[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const stat = statOf(entry);
      const [, name = "", state = "", parent = ""] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
      return Number(parent) === parentPid ? [{ pid: Number(entry), state, name }] : [];
    });
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(statOf(String(pid)));
  } catch {
    return false;
  }
}
