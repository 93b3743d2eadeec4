/** A place where our code is handed to somebody who will call it: a timer, an emitter, a signal, a child's end. */
export type Entry = { line: number; text: string };

const timers = /(?:(?<!\w\.)\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)|\bprocess\.nextTick)\(\s*/g;
/** After the event's name. `withoutStrings` has made every name `""`. */
const listeners =
  /\.(?:on|once|addListener|prependListener|addEventListener|setTimeout)(?:\?\.)?\(\s*(?:[\w.]+|""),\s*/g;
const handlers = /\.prependInputHandler(?:\?\.)?\(\s*/g;
const children = /\bexecFile\((?:[^()]|\([^()]*\))*?,\s*(?=[\w(]+[^,]*\)(?:\.unref\(\))?;)/g;
/** `void work()`: a promise nobody waits for; without the `void` Biome finds it. Setting or deleting in a collection is none. */
const dropped = /(?<!=> |\w )\bvoid (?=[a-z][\w.?!]*\()(?![\w.?!]*\.(?:set|delete|add|push|splice|clear)\()/g;

/** Those that do not go through a guard (src/shared/guard.ts), as `code` without comments and strings has them. */
export function unguardedEntries(code: string): Entry[] {
  const guards = guardsIn(code);
  return [timers, listeners, handlers, children, dropped]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((found) => ({ at: found.index, handed: code.slice(found.index + found[0].length) }))
    .filter(({ handed }) => !isGuarded(handed, guards))
    .map(({ at }) => ({ line: code.slice(0, at).split("\n").length, text: lineAt(code, at) }))
    .sort((a, b) => a.line - b.line)
    .filter(({ line }, at, all) => line !== all[at - 1]?.line);
}

/** Names that stand for a guarded function: `const end = guarded(…)`. */
const guardsIn = (code: string): ReadonlySet<string> =>
  new Set(
    [
      ...code.matchAll(/\b(?:const|let)\s+(\w+)(?:\s*:[^=]+)?\s*=\s*(?:\w+\.)?(?:guarded|answering|promising)\b/g),
    ].flatMap(([, name]) => name ?? []),
  );

function isGuarded(handed: string, guards: ReadonlySet<string>): boolean {
  if (/^(?:guarded|answering|promising)(?:<[^>]*>)?\(/.test(handed)) return true;
  if (/^\(\)\s*=>\s*\{\s*\}/.test(handed)) return true; // does nothing
  const name = /^(\w+)\b(?![.(])/.exec(handed)?.[1];
  return name !== undefined && guards.has(name);
}

const lineAt = (code: string, at: number): string =>
  code.slice(code.lastIndexOf("\n", at) + 1, code.indexOf("\n", at)).trim();
