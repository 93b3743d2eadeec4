// `npm run demo`: the real opencode with a scripted model and this package as its plugin; see tests/rig/demo.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTypeScript } from "./rig/load-typescript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

if (!existsSync(join(root, "dist/server/index.js"))) {
  const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  if (built.status !== 0) process.exit(1);
}
const { main } = await loadTypeScript("tests/rig/demo/main.ts");
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
