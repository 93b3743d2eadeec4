import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Delivery, Note } from "./channel.ts";
import type { Push } from "./push.ts";
import type { PushTarget } from "./push-request.ts";

export type LazyPush = {
  send(note: Note, target: PushTarget): Promise<Delivery>;
  withdraw(key: string): Promise<void>;
};

/** Most people push nothing: what it needs is loaded with the first message. */
export function createLazyPush({ clock, log }: { clock: Clock; log: Log }): LazyPush {
  let loading: Promise<Push> | undefined;
  const load = (): Promise<Push> => {
    loading ??= import("./push.ts").then(({ createPush }) => createPush({ fetch: globalThis.fetch, clock, log }));
    return loading;
  };
  return {
    send: async (note, target) => (await load()).send(note, target),
    withdraw: async (key) => (await loading)?.withdraw(key),
  };
}
