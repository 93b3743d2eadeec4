import type { Clock } from "../shared/clock.ts";
import type { Happening } from "./focus-state.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** A connection that broke is noticed this much later. One look at a file. */
const lookMs = 5_000;

export type TmuxDeps = {
  clock: Clock;
  /** Whether its option `focus-events` is on. */
  tellsFocus(): Promise<boolean>;
  /** Whether anybody's terminal shows this tmux. */
  isAttached(): boolean;
};

/**
 * The terminal part inside tmux, which leaves two things out (3.3a): with `focus-events off`, as it comes, a pane hears
 * that it is focused when somebody attaches and nothing when another pane is chosen, so that focus is worth nothing; and
 * when the attached terminal dies, as with a broken ssh connection, no pane hears of it.
 */
export function inTmux(host: TerminalHost, { clock, tellsFocus, isAttached }: TmuxDeps): TerminalHost {
  return { ...host, listen };

  function listen(happened: (happening: Happening) => void): () => void {
    let trusted = false;
    let last: Happening["type"] | undefined;
    let over = false;

    async function askFirst(focus: Happening): Promise<void> {
      trusted = await tellsFocus();
      if (trusted && !over && last === "focus") happened(focus);
    }

    function heard(happening: Happening): void {
      if (happening.type === "focus" || happening.type === "blur") last = happening.type;
      if (happening.type === "focus" && !trusted) void askFirst(happening);
      else happened(happening);
    }

    let cancel = () => {};
    let attached = true;
    function look(): void {
      const before = attached;
      attached = isAttached();
      if (before && !attached) heard({ type: "blur" });
      cancel = clock.after(lookMs, look);
    }
    look();
    const forget = host.listen(heard);
    return () => {
      over = true;
      cancel();
      forget();
    };
  }
}
