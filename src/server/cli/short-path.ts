/** A path as people write it: `~` for the home folder. */
export const shortPath = (path: string, home: string): string =>
  home !== "" && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
