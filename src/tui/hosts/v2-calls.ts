import { systemClock } from "../../shared/clock.ts";
import { guarded } from "../../shared/guard.ts";
import { callAnswer, callContract, wishEvent } from "../../shared/plugin-call.ts";
import { within } from "../../shared/within.ts";
import type { Answer, PluginCalls } from "../plugin-calls.ts";
import { attempt } from "./attempt.ts";
import type { V2Calls, V2Context, V2Location } from "./v2-context.ts";

/** The host has no deadline for calls. */
const callMs = 5_000;

/** Plugin calls of one 2.x terminal. A missing server part, an old one and a broken line are all "no answer". */
export function createV2Calls(context: V2Context): PluginCalls {
  const calls = attempt(() => context.client?.rpc?.(callContract));

  async function call(name: keyof Omit<V2Calls, "events">, input: object): Promise<Answer | undefined> {
    const location = attempt(() => locationOf(context));
    const going = attempt(() => calls?.[name]?.(input, location === undefined ? {} : { location }));
    if (going === undefined) return undefined;
    const read = callAnswer.safeParse(await within(systemClock, callMs, going));
    return read.success ? read.data : undefined;
  }

  return {
    report: (report) => call("report", report),
    gone: async (viewer) => void (await call("gone", { viewer })),
    raised: async (viewer, request, ok) => void (await call("raised", { viewer, request, ok })),
    ask: (ask) => call("ask", ask),
    onWish(viewer, wished) {
      const listener = guarded("wish", (event: unknown) => {
        const data = typeof event === "object" && event !== null && "data" in event ? event.data : event;
        const read = wishEvent.safeParse(data);
        if (read.success && read.data.viewer === viewer) wished(JSON.stringify(read.data.frame));
      });
      const end: unknown = attempt(() => calls?.events?.on?.("wish", listener));
      return () => (typeof end === "function" ? attempt(() => end()) : undefined);
    },
  };
}

/** The place of the session on screen: without one the host asks the server's default place, perhaps another instance. */
function locationOf({ ui, data, location }: V2Context): V2Location | undefined {
  const route = ui?.router?.current?.();
  const sessionID = route?.type === "session" ? route.sessionID : undefined;
  const ofSession = typeof sessionID === "string" ? data?.session?.get?.(sessionID)?.location : undefined;
  const found = ofSession ?? location ?? data?.location?.default?.();
  if (found === undefined) return undefined;
  const { directory, workspaceID } = found;
  return workspaceID === undefined ? { directory } : { directory, workspaceID };
}
