// `npm run demo`: the real opencode with a scripted model and this package as its plugin; see tests/rig/demo.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadTypeScript } from "./rig/load-typescript.mjs";
import { isBuildStale } from "./test/stale.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

if (await isBuildStale(root)) {
  const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", 2, 2] });
  if (built.status !== 0) process.exit(1);
}
const { main } = await loadTypeScript("tests/rig/demo/main.ts");
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
