/** Calls into a host that may lack the member, or have another one by that name: then undefined. Never throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
