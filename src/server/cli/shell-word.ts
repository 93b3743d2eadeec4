/** One word of a command line, for a person to paste: quoted only where a shell would read it as anything else. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
