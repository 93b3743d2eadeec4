/** A word as a POSIX shell takes it, whatever is in it. */
export const shellWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
