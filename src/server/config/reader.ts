import type { Log } from "../../shared/log.ts";
import type { FileText } from "../files/file-text.ts";
import { problemText } from "./finding.ts";
import { parseConfig } from "./parse.ts";
import { type Config, defaultConfig } from "./schema.ts";

export type ConfigText = FileText;

export type ConfigReader = {
  /** The configuration in force, as of the last look. */
  current(): Config;
  /** Why the file is not in force; undefined when it is, or when there is none. */
  problem(): string | undefined;
  /** What the file says now. */
  take(file: ConfigText): void;
};

/**
 * A file that is wrong is ignored as a whole: the last valid configuration of this process stays in force, the
 * defaults when there never was one. A removed file means the defaults. Each problem is logged once.
 */
export function createConfigReader({ log }: { log: Log }): ConfigReader {
  let config = defaultConfig;
  let problem: string | undefined;
  let stamp: string | undefined;

  const reject = (why: string) => {
    if (why !== problem) log(`config ignored: ${why}`);
    problem = why;
  };
  const accept = (next: Config) => {
    config = next;
    problem = undefined;
  };

  return {
    current: () => config,
    problem: () => problem,
    take(file) {
      if (file.kind === "text" && file.stamp === stamp) return;
      stamp = file.kind === "text" ? file.stamp : undefined;
      if (file.kind === "missing") return accept(defaultConfig);
      if (file.kind === "unreadable") return reject(file.why);
      const parsed = parseConfig(file.text);
      return parsed.ok ? accept(parsed.value) : reject(problemText(parsed.error));
    },
  };
}
