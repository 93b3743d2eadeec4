import type { Clock } from "../../shared/clock.ts";
import type { DesktopState } from "./desktop-state.ts";
import type { Environment } from "./find-program.ts";
import type { Platform } from "./platform.ts";

/** Asked only when about to notify: loaded with the first question. */
export function createLazyDesktopState(parts: { platform: Platform; env: Environment; clock: Clock }) {
  let loading: Promise<DesktopState> | undefined;
  const load = (): Promise<DesktopState> => {
    loading ??= Promise.all([import("./desktop-state.ts"), import("./open-bus.ts"), import("./run-program.ts")]).then(
      ([{ createDesktopState }, { openBus }, { runProgram }]) =>
        createDesktopState({ ...parts, openBus, run: runProgram }),
    );
    return loading;
  };
  return {
    isLocked: async (): Promise<boolean | undefined> => (await load()).isLocked(),
    doNotDisturb: async (): Promise<boolean | undefined> => (await load()).doNotDisturb(),
    close: async (): Promise<void> => (await loading)?.close(),
  };
}
