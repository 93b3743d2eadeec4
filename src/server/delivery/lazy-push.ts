import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Delivery, Note, Pushed } from "./channel.ts";
import type { Push } from "./push.ts";
import type { PushTarget } from "./push-request.ts";

export type LazyPush = {
  send(note: Note, target: PushTarget): Promise<Delivery>;
  withdraw(key: string): Promise<boolean>;
  sent(): readonly Pushed[];
};

/** Most people push nothing: what it needs is loaded with the first message, or to take one back. */
export function createLazyPush(parts: { clock: Clock; log: Log; adopted?: readonly Pushed[] }): LazyPush {
  let loading: Promise<Push> | undefined;
  let loaded: Push | undefined;
  const load = (): Promise<Push> => {
    loading ??= import("./push.ts").then(({ createPush }) => {
      loaded = createPush({ fetch: globalThis.fetch, ...parts });
      return loaded;
    });
    return loading;
  };
  const sent = () => loaded?.sent() ?? parts.adopted ?? [];
  return {
    sent,
    send: async (note, target) => (await load()).send(note, target),
    withdraw: async (key) => sent().some((pushed) => pushed.key === key) && (await load()).withdraw(key),
  };
}
