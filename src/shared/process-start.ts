/** Ticks a second in `/proc`, on every Linux (USER_HZ). */
const ticksPerSecond = 100;

/**
 * When a process began, epoch ms, from `/proc/<pid>/stat` and `/proc/stat`; undefined when either says nothing.
 * Source: proc(5). The command's name may hold blanks and brackets: fields are counted after the last bracket.
 */
export function readStart(pidStat: string, systemStat: string): number | undefined {
  const fields = pidStat.slice(pidStat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[19]);
  const boot = Number(/^btime (\d+)$/m.exec(systemStat)?.[1]);
  if (!(ticks > 0) || !(boot > 0)) return undefined;
  return boot * 1_000 + (ticks * 1_000) / ticksPerSecond;
}

export type ProcessFacts = { alive: boolean; startedAt: number | undefined };

/** The system, as far as it is asked. `poke` throws as `process.kill(pid, 0)` does. */
export type System = { poke(pid: number): void; read(path: string): Promise<string> };

/** What the system says about a pid. Without `/proc` the start stays unknown and the pid alone counts. */
export async function processFacts({ poke, read }: System, pid: number): Promise<ProcessFacts> {
  try {
    poke(pid);
  } catch (error) {
    const isSomebodyElses = error instanceof Error && "code" in error && error.code === "EPERM";
    if (!isSomebodyElses) return { alive: false, startedAt: undefined };
  }
  try {
    const [pidStat, systemStat] = await Promise.all([read(`/proc/${pid}/stat`), read("/proc/stat")]);
    return { alive: true, startedAt: readStart(pidStat, systemStat) };
  } catch {
    return { alive: true, startedAt: undefined };
  }
}

/** `btime` is whole seconds and moves with clock corrections. */
const slackMs = 5_000;

/** Whether the process that wrote `announcedAt` (epoch ms) can still be the one with this pid. */
export const mayBeSame = (facts: ProcessFacts, announcedAt: number): boolean =>
  facts.alive && (facts.startedAt === undefined || facts.startedAt <= announcedAt + slackMs);
