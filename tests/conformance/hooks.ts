/** §3.1 */
export type Registration = { dispose(): Promise<void> };
export type HookCallback = (event: Record<string, unknown>) => unknown;

/** The hooks of one location, in the order of registration. A hook that throws breaks the host's operation (§3.2). */
export function createHooks() {
  const hooks = new Map<string, Set<HookCallback>>();
  return {
    add(name: string, callback: HookCallback): Registration {
      const own: HookCallback = (event) => callback(event);
      const all = hooks.get(name) ?? new Set();
      hooks.set(name, all.add(own));
      return { dispose: async () => void all.delete(own) };
    },
    /** One after another, awaited: a slow hook delays the host. */
    async run<T extends Record<string, unknown>>(name: string, event: T): Promise<T> {
      for (const hook of [...(hooks.get(name) ?? [])]) await hook(event);
      return event;
    },
    count: (name: string) => hooks.get(name)?.size ?? 0,
  };
}

export type Hooks = ReturnType<typeof createHooks>;
