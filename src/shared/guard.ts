import type { Log } from "./log.ts";

/**
 * The way into our code for whoever calls it from outside: a timer, a socket, a child, a promise nobody waits for, the host
 * itself. What is thrown on that way is a bug of ours. It is told to a log and goes no further: uncaught it would end the
 * host's process, and with it the person's work.
 */
export type Guard = {
  /** For a listener or a timer. A promise it gives back is looked after, too. */
  guarded<A extends readonly unknown[]>(what: string, run: (...given: A) => unknown): (...given: A) => void;
  /** For whoever waits for a value: `otherwise` where a bug kept it from coming. */
  answering<A extends readonly unknown[], T>(what: string, otherwise: T, run: (...given: A) => T): (...given: A) => T;
  /** The same for a promise: it never rejects, and is always one. */
  promising<A extends readonly unknown[], T>(
    what: string,
    otherwise: T,
    run: (...given: A) => Promise<T> | T,
  ): (...given: A) => Promise<T>;
  /** A promise nobody waits for. */
  unattended(what: string, promise: Promise<unknown>): void;
  report(what: string, bug: unknown): void;
};

/** Bugs told apart; the one longest not met is forgotten first. */
const mostKnown = 200;
const longestCause = 300;

/** The same bug stands in the log once with its stack, and then only when it was met ten, a hundred, a thousand … times. */
export function createGuard(log: Log): Guard {
  const known = new Map<string, number>();

  function count(key: string): number {
    const times = (known.get(key) ?? 0) + 1;
    known.delete(key);
    known.set(key, times);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return times;
  }

  function report(what: string, bug: unknown): void {
    const { cause, stack } = wordsFor(bug);
    const times = count(`${what}\n${placeOf(stack) ?? cause}`);
    try {
      if (times === 1) log(`${what}: a bug of ours: ${stack}`);
      else if (/^10+$/.test(String(times))) log(`${what}: the same bug, ${times} times by now: ${cause}`);
    } catch {} // there is nobody left to tell
  }

  const unattended = (what: string, promise: Promise<unknown>): void => {
    promise.catch((bug: unknown) => report(what, bug));
  };

  return {
    report,
    unattended,
    guarded:
      (what, run) =>
      (...given) => {
        try {
          const result = run(...given);
          if (result instanceof Promise) unattended(what, result);
        } catch (bug) {
          report(what, bug);
        }
      },
    answering:
      (what, otherwise, run) =>
      (...given) => {
        try {
          return run(...given);
        } catch (bug) {
          report(what, bug);
          return otherwise;
        }
      },
    promising:
      (what, otherwise, run) =>
      async (...given) => {
        try {
          return await run(...given);
        } catch (bug) {
          report(what, bug);
          return otherwise;
        }
      },
  };
}

/** Anything can be thrown, also what cannot be put into words. */
function wordsFor(bug: unknown): { cause: string; stack: string } {
  try {
    const cause = String(bug).slice(0, longestCause);
    const stack = bug instanceof Error && typeof bug.stack === "string" ? bug.stack : "";
    return { cause, stack: stack.includes(cause) ? stack : `${cause} ${stack}`.trim() };
  } catch {
    return { cause: "something that has no words", stack: "something that has no words" };
  }
}

/** Where it was thrown, without its message, which may be another one each time. */
const placeOf = (stack: string): string | undefined => /\n\s*at [\s\S]*$/.exec(stack)?.[0];

/** More than that many bugs before there is a log are left out. */
const mostUntold = 20;
const untold: string[] = [];
let current: Log | undefined;

/** Where this part's bugs go from now on, those included that came before anybody could be told. */
export function tellBugsTo(log: Log): void {
  current = log;
  for (const line of untold.splice(0)) log(line);
}

/** One for all edges of a part, so that none is without: a program's end does not know whose engine it belongs to. */
export const edges: Guard = createGuard((line) => {
  if (current !== undefined) current(line);
  else if (untold.length < mostUntold) untold.push(line);
});
export const { guarded, answering, promising, unattended } = edges;
