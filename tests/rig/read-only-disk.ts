import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";

/** A folder in which nothing can be made: on a disk of its own, or where nobody gave us the right to mount one, by its mode. */
export function startReadOnlyDisk(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", folder], { stdio: "ignore" });
  if (mounted.status !== 0) chmodSync(folder, 0o500);
  return {
    [Symbol.dispose]() {
      if (mounted.status === 0) spawnSync("umount", ["--lazy", folder], { stdio: "ignore" });
      else chmodSync(folder, 0o700);
    },
  };
}

/** What is said of it. */
export const readOnlyWords = /: (the file system is read-only|permission denied)/;
