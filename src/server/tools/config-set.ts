import type { SettingChange } from "../config/save.ts";
import type { ConfigStore } from "../config/store.ts";
import { toolDefinitions } from "./definitions.ts";
import { readArguments } from "./read-arguments.ts";
import type { Tool } from "./tool.ts";

export type ConfigSetDeps = {
  config: Pick<ConfigStore, "path" | "save" | "show">;
  /** The person is told: in the journal, in doctor, and at their terminals. */
  changed(changes: readonly SettingChange[], sessionID: string): void;
};

export const configSet = ({ config, changed: tellPerson }: ConfigSetDeps): Tool => ({
  ...toolDefinitions.configSet,
  async run(sent, { sessionID }) {
    const args = readArguments(toolDefinitions.configSet, sent);
    if (!args.ok) return `[failed] nothing was changed: ${args.error}`;
    const sections = Object.keys(args.value);
    const saved = await config.save(args.value);
    if (!saved.ok) return `[failed] nothing was changed: ${saved.error.message}`;
    const { changed, changes } = saved.value;
    if (changes.length > 0) tellPerson(changes, sessionID);
    if (changed.length === 0) return `Nothing to change: this is how it stands already.\n${shown(config, sections)}`;
    return `[saved] ${config.path}\n${shown(config, changed)}`;
  },
});

/** Without a section everything is shown. */
const shown = (config: ConfigSetDeps["config"], sections: readonly string[]): string =>
  (sections.length === 0 ? [""] : sections)
    .map((section) => config.show(section, { values: false }))
    .map((text) => (text.ok ? text.value : text.error))
    .join("\n");
