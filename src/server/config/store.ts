import { fail, ok, type Result } from "../../shared/result.ts";
import type { FileText } from "../files/file-text.ts";
import { plainValue, readTree } from "./json-text.ts";
import { refusalOf } from "./open-settings.ts";
import type { ConfigPatch } from "./patch.ts";
import type { ConfigReader } from "./reader.ts";
import { type Saved, type SaveFailure, saveConfig } from "./save.ts";
import type { Config } from "./schema.ts";
import { type ShowOptions, settingsBelow, showSettings } from "./show.ts";

/** The configuration as the model's tools see it, as of the last look: in force, written, and a way to change what is open to them. */
export type ConfigStore = {
  readonly path: string;
  current(): Config;
  /** Why the file is not in force. */
  problem(): string | undefined;
  /** Every setting below a key (empty = all): its written value, or unset and what holds then. Fails on an unknown key. */
  show(key: string, options: ShowOptions): Result<string, string>;
  /** Refuses whatever is not on the list of open settings: `not-allowed`. */
  save(patch: ConfigPatch): Promise<Result<Saved, SaveFailure>>;
};

export function createConfigStore({
  path,
  reader,
  read,
}: {
  path: string;
  reader: ConfigReader;
  read: () => Promise<FileText>;
}): ConfigStore & { look(): Promise<void> } {
  let file: FileText = { kind: "missing" };
  async function look(): Promise<void> {
    file = await read();
    reader.take(file);
  }

  return {
    look,
    path,
    current: () => reader.current(),
    problem: () => reader.problem(),
    show(key, options) {
      const settings = settingsBelow(key);
      return settings.ok ? ok(showSettings(settings.value, writtenIn(file), options)) : settings;
    },
    async save(patch) {
      const refusal = refusalOf(patch);
      if (refusal !== undefined) return fail({ kind: "not-allowed", message: refusal });
      const saved = await saveConfig({ path, patch });
      await look();
      return saved;
    },
  };
}

/** What the file says; nothing when it is not there or cannot be read. */
export function writtenIn(file: FileText): unknown {
  const tree = file.kind === "text" ? readTree(file.text) : undefined;
  return tree?.ok === true ? plainValue(tree.value) : undefined;
}
