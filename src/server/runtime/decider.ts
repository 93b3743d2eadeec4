import { createGuard } from "../../shared/guard.ts";
import type { Environment } from "../core/environment.ts";
import type { Input } from "../core/input.ts";
import { newState, type State } from "../core/state.ts";
import { createDispatch } from "./dispatch.ts";
import { type Sources, takeSnapshot } from "./environment.ts";
import { createPerformer, type Services } from "./perform.ts";

export type DeciderDeps = Omit<Sources, "can"> &
  Services & {
    /** The state of the one before; without it everything begins now. */
    state?: State;
    /** Where results go: to whoever decides by then. */
    results?: (input: Input) => void;
  };

/** One state, one step, one loop over real or simulated edges. */
export function createDecider(deps: DeciderDeps) {
  const { clock } = deps;
  const guard = createGuard(deps.log);
  const state = deps.state ?? newState({ now: clock.now(), wall: clock.wall() });
  const can: Environment["can"] = {
    askScreen: deps.screen !== undefined,
    answer: deps.host.answer !== undefined,
    goTo: deps.goTo !== undefined,
    detach: deps.detach !== undefined,
  };
  const sources = { ...deps, can };
  const { dispatch, rest } = createDispatch({
    ...{ clock, guard, state },
    snapshot: () => takeSnapshot(sources),
    perform: (effect) => performer.perform(effect),
  });
  const performer = createPerformer(deps, guard, deps.results ?? dispatch);
  return {
    state,
    dispatch,
    rest,
    delivered: performer.delivered,
    /** After a take-over: what waited goes on waiting here. */
    resume(): void {
      dispatch({ kind: "taken-over" });
    },
  };
}
