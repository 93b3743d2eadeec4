import { fail, ok } from "../../shared/result.ts";
import { refusalOf } from "../config/open-settings.ts";
import type { ConfigReader, ConfigText } from "../config/reader.ts";
import { mergeConfig } from "../config/save.ts";
import { settingsBelow, showSettings } from "../config/show.ts";
import { type ConfigStore, writtenIn } from "../config/store.ts";

const path = "config.json";

/** The config file of a trace, in memory: its parsed content at first, any bytes later, and what the tools write. Each is told. */
export function createConfigText(initial: unknown, changed: (file: ConfigText) => void) {
  let text = initial === undefined || initial === null ? undefined : JSON.stringify(initial);
  let writes = 0;

  const read = (): ConfigText =>
    text === undefined ? { kind: "missing" } : { kind: "text", text, stamp: String(writes) };

  function write(next: string | undefined): void {
    text = next;
    writes += 1;
    changed(read());
  }

  const store = (reader: ConfigReader): ConfigStore => ({
    path,
    current: reader.current,
    problem: reader.problem,
    show(key) {
      const settings = settingsBelow(key);
      return settings.ok ? ok(showSettings(settings.value, writtenIn(read()), { values: true })) : settings;
    },
    async save(patch) {
      const refusal = refusalOf(patch);
      if (refusal !== undefined) return fail({ kind: "not-allowed", message: refusal });
      const merged = mergeConfig(text ?? "{}", patch);
      if (!merged.ok) return fail(merged.error);
      write(merged.value.after);
      return ok(merged.value.saved);
    },
  });

  changed(read());
  return { write, store };
}
