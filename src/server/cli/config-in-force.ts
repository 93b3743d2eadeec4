import { configFileSource } from "../config/file-source.ts";
import { findingText } from "../config/finding.ts";
import { parseConfig } from "../config/parse.ts";
import { type Config, defaultConfig } from "../config/schema.ts";

/** What a server started now would go by: the file, or the defaults where it is missing or, for these problems, wrong. */
export type InForce = { value: Config; problems: string[] };

export async function configInForce(path: string): Promise<InForce> {
  const file = await configFileSource(path)();
  if (file.kind === "missing") return { value: defaultConfig, problems: [] };
  if (file.kind === "unreadable") return { value: defaultConfig, problems: [file.why] };
  const parsed = parseConfig(file.text);
  if (parsed.ok) return { value: parsed.value, problems: [] };
  return { value: defaultConfig, problems: parsed.error.findings.map(findingText) };
}
