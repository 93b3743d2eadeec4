import { createAttention, type KnownFocus } from "./attention.ts";
import type { Location } from "./event.ts";
import { createRenderer, type TerminalTraits } from "./renderer.ts";
import { readContract } from "./rpc.ts";
import type { ServerProcess } from "./server-process.ts";
import type { TuiData } from "./tui-data.ts";

/** §6.2. `dummy` is the placeholder while a new session is being made. */
export type Route =
  | { type: "home" }
  | { type: "session"; sessionID: string }
  | { type: "plugin"; id: string; name: string };

export type Toast = { message: string; title?: string; variant?: string };

export type TuiState = {
  location: Location;
  version: string;
  route(): Route;
  navigate(route: Route): void;
  focus(): KnownFocus;
  toasts: Toast[];
  attentionEnabled: boolean;
  terminal: ReturnType<typeof createRenderer>;
  server(): ServerProcess;
  data: TuiData;
};

export type { TerminalTraits };
export { createRenderer };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** §7.3. Without a `location` the server's default one answers, which is the wrong instance in a bigger server. */
function rpcClient(state: TuiState) {
  return (definition: unknown) => {
    const contract = readContract(definition);
    const methods = Object.keys(contract.methods).map((name) => [
      name,
      (input: unknown, given?: unknown) => {
        const location = isRecord(given) && isRecord(given.location) ? given.location : undefined;
        const directory = typeof location?.directory === "string" ? location.directory : "/";
        const workspace = typeof location?.workspaceID === "string" ? { workspaceID: location.workspaceID } : {};
        const signal = isRecord(given) && given.signal instanceof AbortSignal ? given.signal : undefined;
        return state.server().rpc({ directory, ...workspace }, contract.id, name, input, signal);
      },
    ]);
    const on = (name: string, listener: (event: unknown) => void) =>
      state.data.api.on(`rpc.${contract.id}.${name}`, listener);
    return Object.assign(Object.fromEntries(methods), { events: { on } });
  };
}

/** §6.1: everything a terminal's plugin is given. */
export function createTuiContext(state: TuiState, options: Record<string, unknown>) {
  const { terminal, data } = state;
  const missing = () => {
    throw new Error("Keymap.Provider is missing"); // §6.6: not outside a component
  };
  return {
    options: Object.freeze(structuredClone(options)),
    get location() {
      return { ...state.location };
    },
    app: { version: state.version, channel: "latest" },
    renderer: terminal.renderer,
    client: {
      rpc: rpcClient(state),
      session: {
        get: async ({ sessionID }: { sessionID: string }) => state.server().api.get(sessionID),
        list: async () =>
          [...state.server().sessions.values()]
            .filter(({ deleted }) => !deleted)
            .map(({ info }) => structuredClone(info)),
        active: async () =>
          Object.fromEntries(
            state
              .server()
              .executor.runningIDs()
              .map((id) => [id, true]),
          ),
        view: async ({ sessionID, idle }: { sessionID: string; idle: number }) =>
          state.server().api.view(sessionID, idle),
      },
    },
    data: data.api,
    attention: createAttention({
      enabled: state.attentionEnabled,
      focus: state.focus,
      isDestroyed: () => terminal.renderer.isDestroyed,
      trigger: (message, title) => terminal.renderer.triggerNotification(message, title),
    }),
    keymap: { layer: missing },
    storage: {
      store: (_key: string, { initial }: { initial: unknown }) => ({ value: initial }),
      memory: (_key: string, { initial }: { initial: unknown }) => ({ value: initial }),
    },
    markdown: {},
    theme: {},
    themeMode: "dark",
    ui: {
      router: {
        current: () => ({ ...state.route() }),
        navigate(to: unknown) {
          if (isRecord(to) && to.type === "session" && typeof to.sessionID === "string")
            state.navigate({ type: "session", sessionID: to.sessionID });
          else state.navigate({ type: "home" });
        },
      },
      tabs: { enabled: () => false, list: () => [], open() {}, focus() {}, move() {}, close() {} },
      toast: { show: (toast: Toast) => void state.toasts.push({ ...toast }) },
      slot: () => () => {},
      dialog: {},
    },
  };
}
