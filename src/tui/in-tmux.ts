import type { Clock } from "../shared/clock.ts";
import { guarded } from "../shared/guard.ts";
import type { Happening } from "./focus-state.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** A connection that broke is noticed this much later. */
const lookMs = 5_000;

/** Whether somebody is taken to be there; what is missing says nothing about it. */
const isThereAfter: { [type in Happening["type"]]?: boolean } = { focus: true, key: true, blur: false };

export type TmuxDeps = {
  clock: Clock;
  /** Whether its option `focus-events` is on; undefined: it is too busy to answer. */
  tellsFocus(): Promise<boolean | undefined>;
  /** Whether anybody's terminal shows this pane. Asked only while somebody is taken to be there. */
  isShown(): Promise<boolean>;
};

/**
 * The terminal part inside tmux, which leaves two things out (3.3a): with `focus-events off`, as it comes, a pane hears
 * that somebody attached or detached and nothing when another pane is chosen, so that neither proves that it would tell;
 * and when the attached terminal dies, as with a broken ssh connection, no pane hears of it.
 */
export function inTmux(host: TerminalHost, { clock, tellsFocus, isShown }: TmuxDeps): TerminalHost {
  return { ...host, listen };

  function listen(happened: (happening: Happening) => void): () => void {
    let trusted = false;
    let last: Happening | undefined;
    let unanswered = false;
    let present = true; // an earlier load may have left somebody looking
    let heardCount = 0;
    let over = false;

    const askFirst = guarded("tmux", async (told: Happening) => {
      const answer = await tellsFocus();
      unanswered = answer === undefined;
      trusted = answer === true;
      if (trusted && !over && last?.type === told.type) happened(told);
    });

    function heard(happening: Happening): void {
      heardCount += 1;
      present = isThereAfter[happening.type] ?? present;
      if (happening.type !== "focus" && happening.type !== "blur") return happened(happening);
      last = happening;
      if (trusted) return happened(happening);
      if (happening.type === "blur") happened({ type: "away" }); // whatever tmux says, and at once
      askFirst(happening);
    }

    let cancel = clock.after(lookMs, look);
    function look(): void {
      cancel = clock.after(lookMs, look);
      if (unanswered && last !== undefined) askFirst(last);
      if (present) lookWhoIsThere();
    }

    const lookWhoIsThere = guarded("tmux", async () => {
      const before = heardCount;
      if ((await isShown()) || over || heardCount !== before) return;
      present = false;
      last = undefined;
      happened({ type: "away" });
    });

    const forget = host.listen(heard);
    return () => {
      over = true;
      cancel();
      forget();
    };
  }
}
