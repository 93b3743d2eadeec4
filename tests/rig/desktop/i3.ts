import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { startChild } from "../host/child.ts";
import { waitFor, waitUntil } from "../host/wait-for.ts";
import type { Desktop } from "./desktop.ts";

const node = z.looseObject({
  focused: z.optional(z.boolean()),
  window: z.optional(z.nullable(z.number())),
  window_properties: z.optional(z.looseObject({ class: z.optional(z.string()) })),
  pid: z.optional(z.number()),
  nodes: z.optional(z.array(z.unknown())),
  floating_nodes: z.optional(z.array(z.unknown())),
});
type Node = z.output<typeof node>;

/** Every window and workspace in what `get_tree` of i3 or sway prints. */
export function nodesIn(tree: unknown): Node[] {
  const read = node.parse(tree);
  return [read, ...[...(read.nodes ?? []), ...(read.floating_nodes ?? [])].flatMap(nodesIn)];
}

/** i3's own bar is one, too. */
const isWindow = ({ window, window_properties }: Node): boolean =>
  typeof window === "number" && window_properties?.class !== "i3bar";

/** A window manager on a private desktop. */
export type I3 = {
  /** For programs that are to know it. */
  env: Record<string, string>;
  /** X11 ids of its windows, in the order it has them. */
  windows(): Promise<number[]>;
  /** The window in front. */
  front(): Promise<number | undefined>;
  msg(...words: string[]): Promise<string>;
  end(): Promise<void>;
};

/** Needs i3-wm and a desktop with a screen. */
export async function startI3({ env, folder, run }: Desktop): Promise<I3> {
  const config = join(folder, "i3.conf");
  const socket = join(folder, "i3.sock");
  writeFileSync(config, `ipc-socket ${socket}\nfont pango:DejaVu Sans 8\nfocus_follows_mouse no\n`);
  const child = startChild("i3", ["-c", config], { cwd: folder, env });
  const msg = (...words: string[]) => run("i3-msg", "-s", socket, ...words);
  const tree = async () => nodesIn(JSON.parse(await msg("-t", "get_tree")));
  await waitFor(
    () => `i3 to answer: ${child.stderr()}`,
    () => tree().catch(() => undefined),
  );
  return {
    env: { I3SOCK: socket },
    windows: async () => (await tree()).flatMap((found) => (isWindow(found) ? [Number(found.window)] : [])),
    front: async () => (await tree()).find(({ focused }) => focused)?.window ?? undefined,
    msg,
    end: async () => void (await child.end()),
  };
}

/** Waits until that window is in front. */
export const inFront = (i3: I3, window: number | undefined): Promise<void> =>
  waitUntil(`window ${window} to be in front`, async () => window !== undefined && (await i3.front()) === window);
