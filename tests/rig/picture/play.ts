import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDesktop } from "../desktop/desktop.ts";
import { startChild } from "../host/child.ts";
import { packageRoot } from "../host/package-root.ts";
import { drawTerminal } from "./draw.ts";

export const picture = join(packageRoot(), "docs/demo.svg");

/** One run of `npm run demo` on a private desktop with a real notification daemon. */
export type Played = {
  svg: string;
  /** Its journal lies there. */
  state: string;
  remove(): void;
};

export async function playDemo(): Promise<Played> {
  const state = mkdtempSync(join(tmpdir(), "beckon-demo-"));
  const desktop = await startDesktop();
  try {
    const env = { ...desktop.env, FORCE_COLOR: "1" };
    const script = join(packageRoot(), "scripts/demo.mjs");
    const demo = startChild(process.execPath, [script, "--state", state], { cwd: packageRoot(), env });
    const { code } = await demo.exited;
    if (code !== 0) throw new Error(`the demo ended with ${code}:\n${demo.stdout()}${demo.stderr()}`);
    const remove = () => rmSync(state, { recursive: true, force: true });
    return { svg: drawTerminal(demo.stdout(), "npm run demo"), state, remove };
  } finally {
    await desktop.close();
  }
}
