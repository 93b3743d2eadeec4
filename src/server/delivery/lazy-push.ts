import type { SentAway } from "./channel.ts";
import type { Push, PushParts } from "./push.ts";

const nothing: SentAway = { pushed: [], waysBack: [] };

/** Most people push nothing: what it needs is loaded with the first message, to take one back, or to hear of a button. */
export function createLazyPush(parts: PushParts): Push {
  const { adopted = nothing } = parts;
  let loading: Promise<Push> | undefined;
  let loaded: Push | undefined;
  let stopped = false;
  const load = (): Promise<Push> => {
    loading ??= import("./push.ts").then(({ createPush }) => {
      loaded = createPush(parts);
      if (stopped) loaded.stop();
      return loaded;
    });
    return loading;
  };
  const mayHold = (key: string) => loading !== undefined || adopted.pushed.some((pushed) => pushed.key === key);
  if (adopted.waysBack.length > 0) load().catch((bug) => parts.log(`push: ${String(bug)}`));
  return {
    send: async (note, target, asks) => (await load()).send(note, target, asks),
    withdraw: async (key) => mayHold(key) && (await load()).withdraw(key),
    closed(requestID) {
      loading?.then((push) => push.closed(requestID)).catch(() => {}); // that it does not load is told where it is wanted
    },
    stop() {
      stopped = true;
      return loaded?.stop() ?? adopted;
    },
  };
}
