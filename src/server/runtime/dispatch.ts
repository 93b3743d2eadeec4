import type { Clock } from "../../shared/clock.ts";
import type { Guard } from "../../shared/guard.ts";
import type { Effect } from "../core/effect.ts";
import type { Environment } from "../core/environment.ts";
import type { Input } from "../core/input.ts";
import type { State } from "../core/state.ts";
import { nextDeadline, step } from "../core/step.ts";

export type DispatchDeps = {
  clock: Clock;
  guard: Guard;
  state: State;
  snapshot(): Environment;
  perform(effect: Effect): void;
};

/** The only loop: one input after the other, what it decides is done, and one timer waits for what is due next. */
export function createDispatch({ clock, guard, state, snapshot, perform }: DispatchDeps) {
  const queue: Input[] = [];
  const act = guard.guarded("effect", perform);
  let busy = false;
  let resting = false;
  let armedFor: number | undefined;
  let disarm = (): void => {};

  function dispatch(input: Input): void {
    if (resting && !isResult(input)) return;
    queue.push(input);
    if (busy) return;
    busy = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        for (const effect of step(state, next, snapshot())) act(effect);
    } finally {
      busy = false;
      arm();
    }
  }

  function arm(): void {
    const at = resting ? undefined : nextDeadline(state);
    if (at === armedFor) return;
    disarm();
    armedFor = at;
    if (at === undefined) return;
    disarm = clock.after(Math.max(0, Math.ceil(at - clock.now())), () => {
      armedFor = undefined;
      disarm = () => {};
      dispatch({ kind: "due" });
    });
  }

  return {
    dispatch,
    /** Nothing new is taken and nothing is due; what is on its way still gets its line, until another one takes over. */
    rest(): void {
      resting = true;
      arm();
    },
  };
}

/** What became of something that had already left. */
const isResult = ({ kind }: Input): boolean => kind === "sent" || kind === "withdrawn" || kind === "answered";
