import { join } from "node:path";
import { WebSocket } from "ws";
import { findRelays, isLive } from "../../../src/server/cli/relays/find-relays.ts";
import type { Observer } from "../../../src/server/focus/observer-peer.ts";
import type { Presence } from "../../../src/server/focus/presence.ts";
import { leaseRelay } from "../../../src/server/focus/shared-relay.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import type { FocusReport } from "../../../src/shared/focus.ts";
import { silentLog } from "../../../src/shared/log.ts";
import { encode, protocols } from "../../../src/shared/protocol.ts";

/** A real relay as a running opencode has one, with an engine behind it that only answers. */
export async function startRelay(stateDir: string, observer: Observer, directories: readonly string[] = []) {
  const folder = join(stateDir, "relays");
  let heard: (presence: Presence) => void = () => {};
  const lease = leaseRelay(
    { clock: systemClock, folders: [folder], line: "v1", home: {} },
    {
      log: silentLog,
      directories: () => directories,
      maxTerminals: () => 64,
      onPresence: (presence) => heard(presence),
      observer: () => observer,
    },
  );
  const relay = await lease.relay;
  if (!relay.ok) throw new Error(JSON.stringify(relay.error));
  const sockets: WebSocket[] = [];
  return {
    lease,
    relay: relay.value,
    /** A terminal part that says this and nothing more; resolves when the relay has heard it. */
    async terminal(name: string, report: FocusReport): Promise<void> {
      const [announced] = (await findRelays([folder])).filter(isLive);
      if (announced === undefined) throw new Error("the relay is not announced");
      const { url, token } = announced.descriptor;
      const socket = new WebSocket(url);
      sockets.push(socket);
      const isHeard = new Promise<void>((resolve) => {
        heard = (presence) => [...presence.values()].some((terminal) => terminal.name === name) && resolve();
      });
      await new Promise((open) => socket.once("open", open));
      socket.send(
        encode({ type: "hello", role: "terminal", protocols: [...protocols], token, id: name, name, seq: 1, report }),
      );
      await isHeard;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      await lease.close();
    },
  };
}
