import { type FocusState, firstState, type Moment } from "./focus-state.ts";

/** What has to outlive a reload of the plugin: terminals tell changes of focus only, and the relay knows us by `id`. */
export type Memory = {
  id: string;
  seq: number;
  state: FocusState;
  /** Ends the load that is running. */
  end?: () => void;
};

/** Goes up with the shape of `Memory`. */
const version = 1;
const place = Symbol.for(`opencode-beckon.terminals.${version}`);

/** What an earlier load left for this terminal, or a fresh start. `terminal` is whatever object of the host's lives as long. */
export function recall(home: object, terminal: object, makeID: () => string, at: Moment): Memory {
  const memories = find(home);
  const known = memories.get(terminal);
  if (known !== undefined) return known;
  const memory: Memory = { id: makeID(), seq: 0, state: firstState(at) };
  memories.set(terminal, memory);
  return memory;
}

function find(home: object): WeakMap<object, Memory> {
  const found: unknown = Reflect.get(home, place);
  if (isOurs(found)) return found;
  const memories = new WeakMap<object, Memory>();
  Object.defineProperty(home, place, { value: memories, configurable: true, enumerable: false });
  return memories;
}

/** Only our own code writes under this symbol, and the version is part of it. */
const isOurs = (found: unknown): found is WeakMap<object, Memory> => found instanceof WeakMap;
