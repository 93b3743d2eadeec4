import type { HostEvent, Location } from "./event.ts";
import type { SessionInfo } from "./records.ts";
import type { ServerProcess } from "./server-process.ts";

/** `server.connected` has neither data nor a time (§4.1). */
export type TuiEvent = HostEvent | { id: string; type: "server.connected"; data: Record<string, never> };
type Listener = (event: TuiEvent) => void;

/** §6.5: what one terminal knows of its server. Of a session nothing, until it is loaded or an event names it. */
export function createTuiData(server: () => ServerProcess, location: Location) {
  const listeners = new Set<Listener>();
  const loaded = new Set<string>();

  const get = (sessionID: string): SessionInfo | undefined => {
    const session = loaded.has(sessionID) ? server().sessions.get(sessionID) : undefined;
    return session === undefined || session.deleted ? undefined : structuredClone(session.info);
  };
  function root(sessionID: string): string {
    const parent = get(sessionID)?.parentID;
    return parent === undefined ? sessionID : root(parent);
  }
  const listed = () => [...loaded].map(get).filter((info) => info !== undefined);

  return {
    /** A listener that throws harms nobody else. */
    deliver(event: TuiEvent) {
      if (event.type.startsWith("session.") && typeof event.data.sessionID === "string")
        loaded.add(event.data.sessionID);
      for (const listener of [...listeners])
        try {
          listener(event);
        } catch {
          // the plugin's own failure
        }
    },
    listenerCount: () => listeners.size,
    api: {
      on(type: string, listener: Listener): () => void {
        const own: Listener = (event) => event.type === type && listener(event);
        listeners.add(own);
        return () => listeners.delete(own);
      },
      listen(listener: (given: { details: TuiEvent }) => void): () => void {
        const own: Listener = (event) => listener({ details: event });
        listeners.add(own);
        return () => listeners.delete(own);
      },
      session: {
        get,
        root,
        list: listed,
        family: (sessionID: string) => listed().filter((info) => root(info.id) === root(sessionID)),
        status(sessionID: string): "idle" | "running" {
          const session = server().sessions.get(sessionID);
          return session !== undefined && server().executor.isRunning(session) ? "running" : "idle";
        },
        message: { list: (sessionID: string) => (get(sessionID) ? server().api.context(sessionID) : []) },
        permission: { list: (sessionID: string) => server().permissions.list(sessionID) },
        form: { list: (sessionID: string) => server().forms.list(sessionID) },
        sync: async (sessionID: string) => void loaded.add(sessionID),
        invalidate: async () => {},
      },
      location: { default: () => ({ ...location }) },
    },
  };
}

export type TuiData = ReturnType<typeof createTuiData>;
