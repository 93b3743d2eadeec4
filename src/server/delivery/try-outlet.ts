import type { Clock } from "../../shared/clock.ts";
import { edges } from "../../shared/guard.ts";
import { cleanTitle } from "../../shared/text.ts";
import type { Delivery, Note, Outlet } from "./channel.ts";
import type { Ending } from "./ending.ts";

export type Attempt = { deadlineMs: number; clock: Clock; closing: Ending };

/**
 * One outlet, once. At the deadline its signal is aborted and the outcome is `timeout`, whatever the outlet does;
 * an outlet that throws or rejects has met a bug of ours.
 */
export function tryOutlet(outlet: Outlet, note: Note, { deadlineMs, clock, closing }: Attempt): Promise<Delivery> {
  const failed = (reason: "internal" | "timeout" | "lost", detail: string): Delivery => ({
    ok: false,
    outlet: outlet.name,
    reason,
    detail,
  });
  const controller = new AbortController();
  return new Promise((resolve) => {
    const settle = (delivery: Delivery) => {
      cancel();
      forget();
      resolve(plain(delivery));
    };
    const giveUp = (delivery: Delivery) => {
      controller.abort();
      settle(delivery);
    };
    const cancel = clock.after(deadlineMs, () => giveUp(failed("timeout", `no answer within ${deadlineMs} ms`)));
    let forget = () => {};
    forget = closing.onEnd(() => giveUp(failed("lost", "closed")));
    Promise.resolve()
      .then(() => outlet.send(note, controller.signal))
      .then(settle, (bug: unknown) => {
        edges.report(outlet.name, bug);
        settle(failed("internal", `threw ${String(bug)}`));
      });
  });
}

const longestDetail = 200;

/** What a daemon or program says of itself goes to a terminal, a log and the model: one short line, nothing that acts. */
const plain = (delivery: Delivery): Delivery =>
  delivery.ok || delivery.detail === undefined
    ? delivery
    : { ...delivery, detail: cleanTitle(delivery.detail, longestDetail) };
