/** Lets everything that waits on resolved promises run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
