import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Runs scripts/bench/child/<name>.mjs in a Node of its own, in a home of its own, without a desktop and without any
 * notification program. @returns what it printed, as JSON.
 */
export async function inChild(name, { args = [], nodeArgs = [], env = {} } = {}) {
  const home = await mkdtemp(join(tmpdir(), "beckon-bench-"));
  try {
    const script = fileURLToPath(new URL(`child/${name}.mjs`, import.meta.url));
    const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
      cwd: home,
      env: {
        PATH: join(home, "empty"),
        HOME: home,
        XDG_CONFIG_HOME: join(home, "config"),
        XDG_STATE_HOME: join(home, "state"),
        XDG_RUNTIME_DIR: home,
        ...env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    const code = await new Promise((done) => child.once("close", done));
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${printed.slice(-500)}`);
    return JSON.parse(printed.trim().split("\n").at(-1));
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
