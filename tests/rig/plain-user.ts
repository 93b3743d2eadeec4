/** Root may read and write whatever a mode forbids. Run like this it may not, as everybody else. */
export const asPlainUser = (argv: readonly string[]): string[] =>
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", ...argv] : [...argv];
