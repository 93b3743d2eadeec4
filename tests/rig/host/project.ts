import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { IsolatedHome } from "./isolated-home.ts";

/** An entry of a `plugin` array: a path, a name, or either with options. */
export type PluginEntry = string | [string, Record<string, unknown>];

export type ProjectOptions = {
  modelURL: string;
  /** Entries of the project's `opencode.json`. */
  plugins?: PluginEntry[];
  /** Entries of the person's global `opencode.json`. */
  globalPlugins?: PluginEntry[];
  /** Entries of the project's `tui.json`. */
  tuiPlugins?: PluginEntry[];
  /** The project's `permission` table. Sessions of the rig bring their own rules, but their children do not. */
  permission?: Record<string, "ask" | "allow" | "deny">;
};

const writeJSON = (file: string, value: unknown) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 2));
};

const provider = (modelURL: string) => ({
  npm: "@ai-sdk/openai-compatible",
  name: "Scripted",
  options: { baseURL: modelURL, apiKey: "none" },
  models: { scripted: { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 4_000 } } },
});

/** Writes what a person would have written: a project whose only model is the scripted one. */
export function writeProject(home: IsolatedHome, options: ProjectOptions) {
  writeJSON(join(home.project, "opencode.json"), {
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    share: "disabled",
    autoupdate: false,
    snapshot: false,
    enabled_providers: ["scripted"],
    provider: { scripted: provider(options.modelURL) },
    permission: options.permission ?? {},
    plugin: options.plugins ?? [],
  });
  if (options.globalPlugins) writeJSON(join(home.globalConfig, "opencode.json"), { plugin: options.globalPlugins });
  if (options.tuiPlugins) writeJSON(join(home.project, "tui.json"), { plugin: options.tuiPlugins });
}
