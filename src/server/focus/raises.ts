import type { Clock } from "../../shared/clock.ts";
import { fitAlert, type RaiseRequest, type ToTerminal } from "../../shared/protocol.ts";

/** How long a terminal may take to say that it wrote an alert. */
const raiseWithinMs = 2_000;

/** Alerts a terminal was asked to raise and has not answered for. */
export type Raises = {
  /** True when the terminal says it wrote the bytes; false when it cannot, ended, or kept silent for 2 s. */
  raise(alert: RaiseRequest): Promise<boolean>;
  answered(request: number, written: boolean): void;
  /** Nobody answers any more. */
  abandon(): void;
};

export function createRaises(clock: Clock, send: (frame: ToTerminal) => void): Raises {
  const waiting = new Map<number, (written: boolean) => void>();
  let requests = 0;

  return {
    raise(alert) {
      requests += 1;
      const request = requests;
      return new Promise((answer) => {
        const settle = (written: boolean) => {
          cancel();
          waiting.delete(request);
          answer(written);
        };
        const cancel = clock.after(raiseWithinMs, () => settle(false));
        waiting.set(request, settle);
        send({ type: "raise", request, alert: fitAlert(alert) });
      });
    },
    answered: (request, written) => waiting.get(request)?.(written),
    abandon() {
      for (const settle of [...waiting.values()]) settle(false);
    },
  };
}
