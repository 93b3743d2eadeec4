import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDesktop } from "../desktop/desktop.ts";
import { packageRoot } from "../host/package-root.ts";
import { drawTerminal, textLayer } from "./draw.ts";

const picture = join(packageRoot(), "docs/demo.svg");

/** Plays the real demo on a private desktop and draws what it printed. With `check` the text is compared instead. */
export async function main(args: readonly string[]): Promise<number> {
  const svg = drawTerminal(await playDemo(), "npm run demo");
  if (!args.includes("--check")) {
    writeFileSync(picture, svg);
    console.log("docs/demo.svg written");
    return 0;
  }
  const [now, then] = [textLayer(svg), textLayer(readFileSync(picture, "utf8"))];
  const at = now.findIndex((line, index) => line !== then[index]);
  if (at === -1 && now.length === then.length) return 0;
  const line = at === -1 ? now.length : at;
  console.error(
    `docs/demo.svg is stale (npm run picture); line ${line + 1}\n  now:  ${now[line] ?? ""}\n  then: ${then[line] ?? ""}`,
  );
  return 1;
}

async function playDemo(): Promise<string> {
  const desktop = await startDesktop();
  try {
    return await run({ ...desktop.env, FORCE_COLOR: "1", NO_COLOR: "" });
  } finally {
    await desktop.close();
  }
}

function run(env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const demo = spawn(process.execPath, [join(packageRoot(), "scripts/demo.mjs")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    demo.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    demo.on("error", reject);
    demo.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the demo ended with ${code}:\n${output}`)),
    );
  });
}
