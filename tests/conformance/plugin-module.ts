import type { PluginContext } from "./server-context.ts";

export type Cleanup = () => unknown;
/** §1.2, as read from the module's default export; other keys are dropped. */
export type Definition<Context> = { id: string; setup(context: Context): unknown };

/** Error class and text of the server's loader (§1.2). */
class PluginLoadError extends Error {
  override readonly name = "PluginModule.LoadError";
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isSetup = (value: unknown): value is (context: unknown) => unknown => typeof value === "function";

/** §1.2: an object with a string `id` and a function `effect` or `setup`, `effect` first. Named exports do not count. */
export function readServerModule(module: Record<string, unknown>): Definition<PluginContext> {
  const { default: plugin } = module;
  if (isRecord(plugin) && typeof plugin.id === "string") {
    if (typeof plugin.effect === "function") throw new PluginLoadError("The conformance host runs no effect plugins.");
    const { id, setup } = plugin;
    if (isSetup(setup)) return { id, setup: (context) => setup(context) };
  }
  throw new PluginLoadError("Plugin must export a default definition with an id and an effect or setup function.");
}

/** §1.2: the id must not be empty here. */
export function readTuiModule(module: Record<string, unknown>, target: string): Definition<unknown> {
  const { default: plugin } = module;
  if (isRecord(plugin) && typeof plugin.id === "string" && plugin.id !== "" && isSetup(plugin.setup)) {
    const { id, setup } = plugin;
    return { id, setup: (context) => setup(context) };
  }
  throw new Error(`Invalid V2 TUI plugin module: ${target}`);
}

/** §1.2: nothing, a function, or a promise of either; anything else is nothing. */
export function asCleanup(value: unknown): Cleanup | undefined {
  return typeof value === "function" ? () => Reflect.apply(value, undefined, []) : undefined;
}
