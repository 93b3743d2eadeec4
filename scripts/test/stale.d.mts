/** See stale.mjs. */
export function isBuildStale(root: string): Promise<boolean>;
