import { readdirSync, readFileSync } from "node:fs";

/** Direct children of this process that are still there, zombies included. Linux. */
export function childrenOfThisProcess(): { pid: number; state: string; name: string }[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const stat = statOf(entry);
      const [, name = "", state = "", parent = ""] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
      return Number(parent) === process.pid ? [{ pid: Number(entry), state, name }] : [];
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
