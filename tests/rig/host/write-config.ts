import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { IsolatedHome } from "./isolated-home.ts";

/** What the person of that home would have written into beckon's configuration file. */
export function writeConfig({ beckonConfig }: IsolatedHome, config: object): void {
  mkdirSync(dirname(beckonConfig), { recursive: true });
  writeFileSync(beckonConfig, JSON.stringify(config));
}
