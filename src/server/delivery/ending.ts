/**
 * Something that ends once, and tells everybody who waits for it. Not an AbortSignal: Node prints a warning on
 * stderr when many listen to one of those.
 */
export function createEnding() {
  const waiting = new Set<() => void>();
  let ended = false;
  return {
    hasEnded: () => ended,
    /** Runs at the end, or now when it has ended. The returned function forgets it. */
    onEnd(run: () => void): () => void {
      if (ended) run();
      else waiting.add(run);
      return () => waiting.delete(run);
    },
    end() {
      if (ended) return;
      ended = true;
      for (const run of waiting) run();
      waiting.clear();
    },
  };
}

export type Ending = ReturnType<typeof createEnding>;
