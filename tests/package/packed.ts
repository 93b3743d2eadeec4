import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuildStale } from "../../scripts/test/stale.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export type Packed = {
  tarball: string;
  /** Paths in the tarball, sorted. */
  files: string[];
  /** A project that has installed the package and what it depends on. */
  project: string;
  /** The package in it. */
  installed: string;
  /** The package alone in a folder: nothing can be resolved from there. */
  copy: string;
  remove(): void;
};

/** What `npm publish` would send, unpacked in two ways. */
export async function pack(): Promise<Packed> {
  if (await isBuildStale(root)) execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "pipe" });
  const place = realpathSync(mkdtempSync(join(tmpdir(), "beckon-pack-")));
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", place];
  const [report] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: "pipe" }));
  const tarball = join(place, report.filename);
  const copy = unpack(tarball, join(place, "copy"));
  const project = join(place, "project");
  const installed = unpack(tarball, join(project, "node_modules/opencode-beckon"));
  for (const name of ["ws", "dbus-native"])
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  return {
    tarball,
    files: report.files.map(({ path }: { path: string }) => path).sort(),
    project,
    installed,
    copy,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

function unpack(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  return folder;
}
