import { promising } from "../shared/guard.ts";
import type { V1Api } from "./hosts/v1-api.ts";
import type { V2Context } from "./hosts/v2-context.ts";

/** opencode 1.18, from `tui.json`. Resolves at once in the host's eyes: everything goes on by itself from there. */
async function tui(api: V1Api): Promise<void> {
  const { startV1 } = await import("./hosts/start-v1.ts");
  startV1(api);
}

/** opencode 2.x. The host awaits the cleanup on reload and on an orderly exit. */
async function setup(context: V2Context): Promise<(() => void) | undefined> {
  if (context?.client === undefined || context.ui === undefined) return undefined; // not a terminal's context
  const { startV2 } = await import("./hosts/start-v2.ts");
  return startV2(context);
}

export default {
  id: "beckon.tui",
  tui: promising("terminal part", undefined, tui),
  setup: promising<[V2Context], (() => void) | undefined>("terminal part", undefined, setup),
};
