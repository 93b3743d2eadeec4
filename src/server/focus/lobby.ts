import type { Socket } from "node:net";
import type { Clock } from "../../shared/clock.ts";

/** How long a socket may be open without a byte. */
const silentMs = 2_000;
/** One more, and the one that was silent longest is cut. */
const most = 512;

export type Lobby = {
  enter(socket: Socket): void;
  /** Cuts all of them. */
  empty(): void;
};

/**
 * Sockets that have not sent a byte yet. Whoever can knock can do so thousands of times a second: until then a socket has a place in
 * a list and shares one timer with all others, and nothing else is made for it.
 */
export function createLobby(clock: Clock, begin: (socket: Socket, first: Buffer) => void): Lobby {
  /** When each came, oldest first. */
  const silent = new Map<Socket, number>();
  let isTimed = false;

  function enter(socket: Socket): void {
    socket.unref();
    silent.set(socket, clock.now());
    socket.on("error", ignore).on("close", leave).on("data", speak);
    if (silent.size > most) cutSince(Number.POSITIVE_INFINITY, 1);
    if (!isTimed) wait(silentMs);
  }

  function leave(this: Socket): void {
    silent.delete(this);
  }

  function speak(this: Socket, first: Buffer): void {
    if (!silent.delete(this)) return;
    this.off("close", leave).off("data", speak);
    begin(this, first);
  }

  function cutSince(time: number, count: number): void {
    let left = count;
    for (const [socket, since] of silent) {
      if (since > time || left === 0) return;
      left -= 1;
      silent.delete(socket);
      socket.destroy();
    }
  }

  /** Where the host itself was busy for so long, the bytes wait in the socket: they are read before the next timer. */
  function wait(ms: number): void {
    isTimed = true;
    clock.after(ms, () => {
      const late = clock.now() - silentMs;
      clock.after(0, () => {
        isTimed = false;
        cutSince(late, Number.POSITIVE_INFINITY);
        const [oldest] = silent.values();
        if (oldest !== undefined) wait(Math.max(1, oldest + silentMs - clock.now()));
      });
    });
  }

  return { enter, empty: () => cutSince(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) };
}

const ignore = (): void => {}; // `close` follows
