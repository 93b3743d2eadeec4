import { type FocusState, firstState } from "./focus-state.ts";

/** What has to outlive a reload of the plugin: terminals tell changes of focus only, and the relay knows us by `id`. */
export type Memory = { id: string; seq: number; state: FocusState };

/** Goes up with the shape of `Memory`. */
const version = 1;
const place = Symbol.for(`opencode-beckon.terminal.${version}`);

/** One terminal a process: what an earlier load left, or a fresh start. */
export function recall(home: object, makeID: () => string, at: { now: number; wall: number }): Memory {
  const found: unknown = Reflect.get(home, place);
  if (isMemory(found)) return found;
  const memory: Memory = { id: makeID(), seq: 0, state: firstState(at) };
  Object.defineProperty(home, place, { value: memory, configurable: true, enumerable: false });
  return memory;
}

/** Only our own code writes under this symbol, and the version is part of it. */
const isMemory = (found: unknown): found is Memory =>
  typeof found === "object" && found !== null && "id" in found && "seq" in found && "state" in found;
