/** Root may read and write whatever a mode forbids. Run like this it may not, as everybody else. */
export const asPlainUser = (argv: readonly string[]): string[] =>
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", ...argv] : [...argv];

/** Somebody else, who may have what everybody may. Only root can become somebody else. */
export const asNobody = (argv: readonly string[]): string[] => [
  ...["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"],
  ...argv,
];
