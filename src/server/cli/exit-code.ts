/** What every subcommand may end with. */
export const exitCode = {
  done: 0,
  /** A finding, or nothing was delivered. */
  finding: 1,
  /** Bad usage or malformed input. */
  usage: 2,
  /** Our bug. */
  bug: 70,
} as const;
