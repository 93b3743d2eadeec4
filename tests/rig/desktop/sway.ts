import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "../host/child.ts";
import { waitFor } from "../host/wait-for.ts";
import { nodesIn } from "./i3.ts";

export type Sway = {
  env: Record<string, string>;
  /** A terminal in a window of its own, with this in it; its process. */
  open(...argv: string[]): Promise<Child>;
  /** The process of the window in front. */
  front(): Promise<number | undefined>;
  end(): Promise<void>;
};

/** It refuses to run as root, and so do its windows then. Source: sway, `drop_permissions`. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const humbly = (program: string, args: string[]): [string, string[]] =>
  isRoot
    ? ["setpriv", [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", program, ...args]]
    : [program, args];

/** A real sway without a screen, with real terminals (foot) in it. Needs sway, foot and, for root, util-linux. */
export async function startSway(): Promise<Sway> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-sway-"));
  const config = join(folder, "config");
  writeFileSync(config, "output HEADLESS-1 resolution 800x600\nfocus_follows_mouse no\n");
  if (isRoot) for (const path of [folder, config]) chownSync(path, nobody, nobody);
  const env: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", XDG_RUNTIME_DIR: folder },
    ...{ WLR_BACKENDS: "headless", WLR_LIBINPUT_NO_DEVICES: "1", WLR_RENDERER: "pixman" },
  };
  const start = (program: string, ...args: string[]) => startChild(...humbly(program, args), { cwd: folder, env });
  const named = (pattern: RegExp) => readdirSync(folder).find((name) => pattern.test(name));

  const children = [start("sway", "-c", config)];
  env.SWAYSOCK = join(
    folder,
    await waitFor(
      () => `sway's socket: ${children[0]?.stderr()}`,
      () => named(/^sway-ipc/),
    ),
  );
  env.WAYLAND_DISPLAY = await waitFor("sway's display", () => named(/^wayland-\d+$/));
  const windows = async () => {
    const asked = startChild("swaymsg", ["-t", "get_tree"], { cwd: folder, env });
    return (await asked.exited).code === 0 ? nodesIn(JSON.parse(asked.stdout())) : [];
  };
  return {
    env,
    async open(...argv) {
      const child = start("foot", ...argv);
      children.push(child);
      await waitFor(
        () => `a window of foot: ${child.stderr()}`,
        async () => (await windows()).find(({ pid }) => pid === child.pid),
      );
      return child;
    },
    front: async () => (await windows()).find(({ focused, pid }) => focused && pid !== undefined)?.pid,
    async end() {
      for (const child of children.reverse()) await child.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
