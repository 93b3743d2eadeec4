import { configFileSource } from "../config/file-source.ts";
import { parseConfig } from "../config/parse.ts";
import { type Config, defaultConfig } from "../config/schema.ts";

/** What a server started now would go by: the file, or the defaults where it is missing or wrong. */
export function configInForce(path: string): Config {
  const file = configFileSource(path)();
  const parsed = file.kind === "text" ? parseConfig(file.text) : undefined;
  return parsed?.ok ? parsed.value : defaultConfig;
}
