import type { Clock } from "../shared/clock.ts";
import { closeCodes } from "../shared/close-codes.ts";
import type { FocusReport } from "../shared/focus.ts";
import { guarded, promising } from "../shared/guard.ts";
import { type Abilities, encode, type FromTerminal, readToTerminal, type ToTerminal } from "../shared/protocol.ts";
import { backoffMs, longestMs } from "./backoff.ts";
import type { OpenSocket, Socket } from "./open-socket.ts";

/** Connecting and being welcomed may take this long; Bun 1.3.14 has no deadline of its own. */
const welcomeWithinMs = 5_000;

export type RelayAddress = { id: string; url: string; token: string };
export type Wish = Exclude<ToTerminal, { type: "welcome" }>;

/** The whole state of this terminal. */
export type Told = { seq: number; report: FocusReport; abilities: Abilities };

export type RelayClient = {
  /** The id of the relay that welcomed us, while it lasts. */
  welcomedBy(): string | undefined;
  tell(told: Told): void;
  /** Says goodbye and does not come back. */
  stop(): void;
};

export type RelayClientDeps = {
  clock: Clock;
  address: RelayAddress;
  openSocket: OpenSocket;
  dice(): number;
  /** The first frame, whole state included, made when it is sent. */
  hello(token: string): string;
  onWish(wish: Wish): Promise<boolean>;
  /** Asked when a connection ended. */
  mayComeBack(): boolean;
  /** Another connection of this terminal is welcome at that relay: through a tunnel and by its file, it is the same one. */
  isServed(relayID: string): boolean;
};

/** Stays connected to one relay for as long as it is wanted; every failure is a reason to come back later. */
export function startRelayClient(deps: RelayClientDeps): RelayClient {
  const { clock, address } = deps;
  let socket: Socket | undefined;
  let greeted = false;
  let welcome = false;
  let relayID: string | undefined;
  let attempt = 0;
  let over = false;
  let cancel = () => {};

  const onWish = promising("wish", false, deps.onWish);

  const connect = guarded("relay", async () => {
    let mine: Socket | undefined;
    let closed = false;
    let late = false;
    const cancelDeadline = clock.after(welcomeWithinMs, () => {
      late = true;
      mine?.cut();
    });
    const events = {
      onOpen() {
        mine?.send(deps.hello(address.token));
        greeted = true;
      },
      onText: (text: string) => hear(text, cancelDeadline),
      onClose(code: number) {
        closed = true;
        cancelDeadline();
        if (socket === mine) socket = undefined;
        greeted = false;
        welcome = false;
        comeBack(code);
      },
    };
    try {
      mine = await deps.openSocket(address.url, events);
    } catch {
      return events.onClose(1006);
    }
    if (!closed) socket = mine;
    if (over || late) mine.cut();
  });

  function comeBack(code: number): void {
    if (over || !deps.mayComeBack()) return;
    attempt += 1;
    comeBackIn(isHopeless(code) ? longestMs : backoffMs(attempt, deps.dice()));
  }

  /** Two connections to one relay would replace each other for ever. */
  function comeBackIn(ms: number): void {
    const isServed = () => relayID !== undefined && deps.isServed(relayID);
    cancel = clock.after(ms, () => (isServed() ? comeBackIn(longestMs) : connect()));
  }

  function hear(text: string, cancelDeadline: () => void): void {
    const read = readToTerminal(text);
    if (over || !read.ok) return; // from a newer relay: what we do not know we do not do
    if (read.value.type !== "welcome") return obey(read.value);
    cancelDeadline();
    attempt = 0;
    welcome = true;
    relayID = read.value.relay;
  }

  /** The answer belongs to this connection: the relay counts its requests anew on the next one. */
  function obey(wish: Wish): void {
    answer(wish, socket);
  }

  const answer = guarded("wish", async (wish: Wish, by: Socket | undefined) => {
    const ok = await onWish(wish);
    if (wish.type === "raise" && by === socket) say({ type: "raised", request: wish.request, ok });
  });

  const say = (frame: FromTerminal) => socket?.send(encode(frame));

  connect();
  return {
    welcomedBy: () => (welcome ? relayID : undefined),
    /** From the hello on: it is read before this, and holds what was so until then. */
    tell(told) {
      if (greeted) say({ type: "report", ...told });
    },
    stop() {
      over = true;
      cancel();
      if (greeted) say({ type: "bye" });
      socket?.close();
      const leaving = socket;
      clock.after(100, () => leaving?.cut());
    },
  };
}

/** What another try will hardly change. Still tried: the descriptor may name a relay that is being replaced. */
const isHopeless = (code: number): boolean =>
  code === closeCodes.badToken ||
  code === closeCodes.noCommonProtocol ||
  code === closeCodes.full ||
  code === closeCodes.replaced;
