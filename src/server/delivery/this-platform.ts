import { readFileSync } from "node:fs";
import { type Platform, platformOf } from "./platform.ts";

/** The machine this process runs on. */
export function thisPlatform(): Platform {
  return platformOf(process.platform, process.env, kernelRelease());
}

function kernelRelease(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/osrelease", "utf8");
  } catch {
    return undefined; // not Linux
  }
}
