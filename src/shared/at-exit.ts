import { guarded } from "./guard.ts";

const deeds = new Set<() => void>();

/**
 * One listener for all of them: Node warns of an eleventh, on the host's own stderr. The host's exit code and its stderr are
 * not ours, and the next deed has its turn.
 */
const doAll = guarded("exit", () => {
  for (const deed of deeds) guarded("exit", deed)();
});

/** Done when the process ends, however that happens short of a signal nobody hears. Gives back its own end. */
export function atExit(deed: () => void): () => void {
  if (deeds.size === 0) process.on("exit", doAll);
  deeds.add(deed);
  return () => {
    deeds.delete(deed);
    if (deeds.size === 0) process.off("exit", doAll);
  };
}
