import { readFileSync } from "node:fs";

/** Deeper than any terminal stands above a program in it. */
const most = 16;

/** A process and those it came from, nearest first; on Linux, else that one alone. */
export function ancestorsOf(pid: number): number[] {
  const found = [pid];
  for (let above = parentOf(pid); above > 1 && found.length < most; above = parentOf(above)) found.push(above);
  return found;
}

/** 0 where it cannot be told. Source: proc(5), `/proc/pid/stat`; the name in parentheses may hold anything. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(/^\S (\d+)/.exec(stat.slice(stat.lastIndexOf(")") + 2))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
