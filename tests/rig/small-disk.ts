import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A folder on a disk of its own, which can be full. */
export type SmallDisk = {
  fill(): void;
  /** There is room again. */
  free(): void;
  [Symbol.dispose](): void;
};

/** How much of a last line still fits, bytes: it is torn, as on a real full disk. */
const slack = 100;
const pageBytes = 4_096;

/**
 * Mounts a tmpfs over the folder. Where that takes rights nobody gave us, files of these names lead to /dev/full
 * instead, and no others can be made.
 */
export function startSmallDisk(folder: string, names: readonly string[] = []): SmallDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `size=256k,mode=0700,uid=${process.getuid?.()},gid=${process.getgid?.()}`;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  return mounted.status === 0 ? overTmpfs(folder) : withDevFull(folder, names);
}

function overTmpfs(folder: string): SmallDisk {
  const ballast = join(folder, ".ballast");
  return {
    fill() {
      for (const name of readdirSync(folder)) padToPage(join(folder, name));
      try {
        for (let pages = 0; ; pages++)
          writeFileSync(ballast, Buffer.alloc(pageBytes), { flag: pages === 0 ? "w" : "a" });
      } catch {
        // It is full now.
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => void spawnSync("umount", ["--lazy", folder], { stdio: "ignore" }),
  };
}

/** A file has its last page to itself: blank lines, which nobody reads, leave room there for a part of a line. */
function padToPage(path: string): void {
  const facts = statSync(path);
  if (!facts.isFile() || facts.size === 0) return;
  const wanted = Math.ceil((facts.size + slack) / pageBytes) * pageBytes - slack;
  writeFileSync(path, "\n".repeat(wanted - facts.size), { flag: "a" });
}

function withDevFull(folder: string, names: readonly string[]): SmallDisk {
  const paths = names.map((name) => join(folder, name));
  return {
    fill() {
      for (const path of paths) {
        if (existsSync(path)) renameSync(path, `${path}.aside`);
        symlinkSync("/dev/full", path);
      }
      chmodSync(folder, 0o500);
    },
    free() {
      chmodSync(folder, 0o700);
      for (const path of paths) {
        rmSync(path, { force: true });
        if (existsSync(`${path}.aside`)) renameSync(`${path}.aside`, path);
      }
    },
    [Symbol.dispose]() {},
  };
}
