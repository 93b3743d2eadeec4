/** Ticks a second in `/proc`, on every Linux (USER_HZ). */
const ticksPerSecond = 100;

/**
 * When a process began, epoch ms, from `/proc/<pid>/stat` and `/proc/stat`; undefined when either says nothing.
 * Source: proc(5). The command's name may hold blanks and brackets: fields are counted after the last bracket.
 */
export function processStart(processStat: string, systemStat: string): number | undefined {
  const fields = processStat.slice(processStat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[19]);
  const boot = Number(/^btime (\d+)$/m.exec(systemStat)?.[1]);
  if (!(ticks > 0) || !(boot > 0)) return undefined;
  return boot * 1_000 + (ticks * 1_000) / ticksPerSecond;
}

/** `btime` is whole seconds and moves with clock corrections. */
const slackMs = 5_000;

export type ProcessFacts = { alive: boolean; startedAt: number | undefined };

/** Whether the process that wrote `announcedAt` (epoch ms) can still be the one with this pid. */
export const mayBeSameProcess = (facts: ProcessFacts, announcedAt: number): boolean =>
  facts.alive && (facts.startedAt === undefined || facts.startedAt <= announcedAt + slackMs);
