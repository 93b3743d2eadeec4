import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Descriptor, readDescriptor, relayDirectories } from "../../../src/shared/rendezvous.ts";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";

/** The relay a host of that home has announced. */
export function findRelay({ env }: IsolatedHome): Descriptor | undefined {
  for (const folder of relayDirectories(env, env.HOME ?? ""))
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (!name.endsWith(".json")) continue;
      const read = readDescriptor(readFileSync(join(folder, name), "utf8"));
      if (read.ok) return read.value;
    }
  return undefined;
}
