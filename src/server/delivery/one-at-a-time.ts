import { unattended } from "../../shared/guard.ts";
import type { Channel, Delivery, Note } from "./channel.ts";

type Waiting = { note: Note; settle(delivery: Delivery): void };

/**
 * A channel that is heard: one after the other. Of one key only the newest waits, of all at most `mostWaiting`
 * (the oldest gives way), and a withdrawal drops what waits and cuts what is being heard.
 */
export function oneAtATime(channel: Channel, mostWaiting: number): Channel {
  let waiting: Waiting[] = [];
  let heard: Note | undefined;

  const drop = (doomed: (entry: Waiting) => boolean) => {
    const dropped = waiting.filter(doomed);
    waiting = waiting.filter((entry) => !dropped.includes(entry));
    for (const { settle } of dropped) settle({ ok: false, outlet: channel.name, reason: "dropped" });
  };

  async function work() {
    if (heard !== undefined) return;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      heard = next.note;
      next.settle(await channel.send(next.note));
    }
    heard = undefined;
  }

  return {
    ...channel,
    send(note) {
      return new Promise((settle) => {
        drop((entry) => entry.note.key === note.key);
        waiting.push({ note, settle });
        unattended("voice", work());
        const [oldest] = waiting;
        if (waiting.length > mostWaiting) drop((entry) => entry === oldest);
      });
    },
    async withdraw(key) {
      drop((entry) => entry.note.key === key);
      return channel.withdraw(key);
    },
    /** What is being heard is cut, which is no failure of it. */
    async close() {
      drop(() => true);
      if (heard !== undefined) await channel.withdraw(heard.key);
      await channel.close();
    },
  };
}
