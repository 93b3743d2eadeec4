import type { Location } from "./event.ts";
import { createHooks } from "./hooks.ts";
import { type Entry, type LoadingDeps, loadPlugins } from "./plugin-loading.ts";
import { asCleanup, type Cleanup, type Definition } from "./plugin-module.ts";
import type { Publisher } from "./publisher.ts";
import { createRpcRegistry } from "./rpc.ts";
import { type ContextDeps, createServerContext, type Instance, type PluginContext } from "./server-context.ts";
import { createToolRegistry } from "./tool-registry.ts";

export type LocationDeps = Omit<ContextDeps, "hooks" | "tools" | "rpc" | "inventory"> & {
  publisher: Publisher;
  loading: LoadingDeps;
  warn(line: string): void;
};

/** §2.3, §2.4: one line of the inventory. */
export type InventoryEntry = {
  id: string | undefined;
  target: string;
  state: { status: "active" | "disabled" } | { status: "failed"; error: string };
  features: { tui: boolean };
};

type Slot = Entry & { running?: { instance: Instance; cleanup: Cleanup | undefined } };

const message = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A directory in use: its plugins, each set up once (§2.5), and the hooks, tools and rpc they bring. */
export function openLocation(deps: LocationDeps, location: Location) {
  const { publisher, warn } = deps;
  const hooks = createHooks();
  const tools = createToolRegistry();
  const rpc = createRpcRegistry(publisher, location);
  let slots: Slot[] = [];

  const inventory = (): InventoryEntry[] =>
    slots.map(({ target, files, definition, error, enabled }) => ({
      id: definition?.id,
      target,
      state: error !== undefined ? { status: "failed", error } : { status: enabled ? "active" : "disabled" },
      features: { tui: files?.tui !== undefined },
    }));

  /** §2.4: registrations and iterators end with the instance, whatever it did itself. */
  async function release(instance: Instance) {
    for (const registration of instance.registrations.splice(0).reverse()) await registration.dispose();
    deps.streams.endOf(instance);
  }

  async function setUp(definition: Definition<PluginContext>, options: Record<string, unknown>) {
    const instance: Instance = { pluginID: definition.id, location, registrations: [] };
    try {
      const context = createServerContext({ ...deps, hooks, tools, rpc, inventory }, instance, options);
      return { instance, cleanup: asCleanup(await definition.setup(context)) };
    } catch (error) {
      await release(instance);
      throw error;
    }
  }

  /** §2.4: a setup that throws leaves the others alone; one that hangs delays the whole location. */
  async function start(slot: Slot, previous?: Definition<PluginContext>) {
    const { definition, enabled, options } = slot;
    if (definition === undefined || !enabled || slot.error !== undefined) return;
    try {
      slot.running = await setUp(definition, options);
      publisher.emit("plugin.added", { id: definition.id }, { location });
    } catch (error) {
      slot.error = message(error);
      warn(`failed to load plugin ${definition.id}: ${message(error)}`);
      if (previous !== undefined) slot.running = await setUp(previous, options);
    }
  }

  async function stop(slot: Slot) {
    const { running } = slot;
    delete slot.running;
    if (running === undefined) return;
    try {
      await running.cleanup?.();
    } catch (error) {
      warn(`plugin cleanup failed: ${message(error)}`);
    }
    await release(running.instance);
  }

  async function boot() {
    slots = await loadPlugins(deps.loading, location.directory);
    for (const { error, target } of slots) if (error !== undefined) warn(`failed to load plugin ${target}: ${error}`);
    for (const slot of slots) await start(slot);
    publisher.emit("plugin.updated", {}, { location });
  }

  /** §2.4: from the changed one on everything is torn down in reverse and set up again. */
  async function reload(from: number) {
    const changed = slots.slice(from);
    const imported = await Promise.all(
      changed.map(({ files, definition }) =>
        files === undefined ? definition : deps.loading.imports.load(files).catch((error: unknown) => message(error)),
      ),
    );
    if (imported.some((each) => typeof each === "string")) {
      // §2.4: import error: the old generation is kept running, the entry is marked failed.
      for (const [index, error] of imported.entries()) {
        const slot = changed[index];
        if (slot !== undefined && typeof error === "string") slot.error = error;
      }
      return;
    }
    for (const slot of [...changed].reverse()) await stop(slot);
    for (const [index, slot] of changed.entries()) {
      const [fresh, previous] = [imported[index], slot.definition];
      delete slot.error;
      if (fresh !== undefined && typeof fresh !== "string") slot.definition = fresh;
      await start(slot, previous);
    }
  }

  let busy: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = busy.then(work);
    busy = next.catch(() => {});
    return next;
  };
  const ready = inTurn(boot);

  return {
    location,
    hooks,
    tools,
    rpc,
    inventory,
    ready: () => ready,
    /** A watched file changed, or somebody ran `opencode reload`. `target` = the changed plugin, else all. */
    reload: (target?: string) =>
      inTurn(() =>
        reload(
          target === undefined
            ? 0
            : Math.max(
                slots.findIndex((slot) => slot.target === target),
                0,
              ),
        ),
      ),
    /** Ends everything here, in reverse order. */
    close: () =>
      inTurn(async () => {
        for (const slot of [...slots].reverse()) await stop(slot);
      }),
    files: () => slots.flatMap(({ target, files }) => (files === undefined ? [] : [{ target, path: files.server }])),
    instanceOf: (id: string) => slots.find((slot) => slot.definition?.id === id)?.running?.instance,
  };
}

export type OpenLocation = ReturnType<typeof openLocation>;
