import type { KnownFocus } from "./attention.ts";
import type { HostEvent, Location } from "./event.ts";
import { nativeImport } from "./native-import.ts";
import { isPath, packageName, selects, tuiDirectives } from "./plugin-config.ts";
import { discoveredTuis, isDirectory, tuiOfDirectory, tuiOfPackage } from "./plugin-files.ts";
import { asCleanup, type Cleanup, readTuiModule } from "./plugin-module.ts";
import type { ServerProcess } from "./server-process.ts";
import {
  createRenderer,
  createTuiContext,
  type Route,
  type TerminalTraits,
  type Toast,
  type TuiState,
} from "./tui-context.ts";
import { createTuiData } from "./tui-data.ts";

export type TuiOptions = {
  server: ServerProcess;
  location: Location;
  globalConfig?: string;
  packages?: Record<string, string>;
  terminal?: Partial<TerminalTraits>;
  attentionEnabled?: boolean;
  /** True: another machine, so what the server lists cannot be loaded from here (§2.3). */
  remote?: boolean;
};

type Wanted = { target: string; tui: string; options: Record<string, unknown> };

/** §2.3: active server plugins with a terminal part, then what `cli.json` and its folder name; the latter wins. */
async function wanted(
  { server, location, globalConfig, packages = {}, remote }: TuiOptions,
  fail: (line: string) => void,
) {
  const found = new Map<string, Wanted>();
  const opened = await server.use(location);
  await opened.ready();
  for (const { target, state, features } of remote === true ? [] : opened.inventory()) {
    const tui = isPath(target) ? tuiOfDirectory(target) : tuiOfPackage(packages[target] ?? "");
    if (state.status === "active" && features.tui && tui !== undefined) found.set(target, { target, tui, options: {} });
  }
  if (globalConfig === undefined) return found;
  for (const { target, tui } of discoveredTuis(globalConfig)) found.set(target, { target, tui, options: {} });
  for (const directive of tuiDirectives(globalConfig)) {
    if (directive.kind !== "load") continue;
    const { target, options } = directive;
    if (isPath(target) && !isDirectory(target)) continue; // §2.1: a file is skipped silently here
    const tui = isPath(target)
      ? tuiOfDirectory(target)
      : tuiOfPackage(packages[packageName(target)] ?? packages[target] ?? "");
    if (tui === undefined) fail(`No TUI entry in ${target}`);
    else found.set(target, { target, tui, options });
  }
  return found;
}

/** One terminal attached to a server (§6): one instance of each of its plugins. */
export async function attachTui(options: TuiOptions) {
  const { server, location, terminal = {} } = options;
  const screen = createRenderer({ focusReporting: true, notifications: true, ...terminal });
  const toasts: Toast[] = [];
  const data = createTuiData(() => server, location);
  let route: Route = { type: "home" };
  let focused: KnownFocus = null;

  /** §4.7: only a focused terminal that shows the session's family, once an idle. */
  function view() {
    if (focused !== true || route.type !== "session") return;
    const shown = data.api.session.root(route.sessionID);
    const idle = server.sessions.get(shown)?.info.time.idle;
    if (idle !== undefined && server.sessions.get(shown)?.deleted === false) server.api.view(shown, idle);
  }
  const state: TuiState = {
    ...{ location, toasts, data, terminal: screen, version: "2.0.20" },
    route: () => route,
    navigate(to) {
      route = to;
      view();
    },
    focus: () => focused,
    attentionEnabled: options.attentionEnabled ?? false,
    server: () => server,
  };

  const failures: string[] = [];
  const fail = (line: string) => {
    failures.push(line);
    toasts.push({ variant: "error", message: line });
  };
  const cleanups: Cleanup[] = [];
  const running: string[] = [];
  const off = tuiDirectives(options.globalConfig ?? "/nonexistent").flatMap((each) =>
    each.kind === "disable" ? [each.pattern] : [],
  );
  for (const { target, tui, options: given } of (await wanted(options, fail)).values()) {
    try {
      const { id, setup } = readTuiModule(await nativeImport(tui), target);
      if (off.some((pattern) => selects(pattern, id))) continue;
      const cleanup = asCleanup(await setup(createTuiContext(state, given)));
      running.push(id);
      if (cleanup !== undefined) cleanups.push(cleanup);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
  const hear = (event: HostEvent) => {
    data.deliver(event);
    if (event.type.startsWith("session.execution.")) queueMicrotask(view);
  };
  let leave = server.publisher.listen(hear);
  const connected = () => data.deliver({ id: server.id("evt"), type: "server.connected", data: {} });
  connected();

  const turn = (to: boolean) => () => {
    if (terminal.focusReporting !== false) focused = to;
    screen.tell(to ? "focus" : "blur");
    view();
  };
  return {
    running,
    failures,
    toasts,
    screen,
    focus: turn(true),
    blur: turn(false),
    show: (sessionID: string) => state.navigate({ type: "session", sessionID }),
    navigate: state.navigate,
    /** The connection breaks and comes back; what happened meanwhile is never told. */
    disconnect: () => leave(),
    reconnect() {
      leave = server.publisher.listen(hear);
      connected();
    },
    /** §2.4: cleanups in reverse order, errors become toasts. */
    async exit() {
      leave();
      for (const cleanup of cleanups.reverse())
        try {
          await cleanup();
        } catch (error) {
          toasts.push({ variant: "error", message: String(error) });
        }
      screen.destroy();
    },
    /** §6.6: a killed terminal cleans nothing up. */
    kill() {
      leave();
      screen.destroy();
    },
    leftListeners: () => screen.listeners() + data.listenerCount(),
  };
}

export type TuiProcess = Awaited<ReturnType<typeof attachTui>>;
