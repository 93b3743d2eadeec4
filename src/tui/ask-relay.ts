import type { Clock } from "../shared/clock.ts";
import { guarded } from "../shared/guard.ts";
import { encode, type FromObserver, maxObserverFrameBytes, protocols, readToObserver } from "../shared/protocol.ts";
import { within } from "../shared/within.ts";
import type { OpenSocket, Socket } from "./open-socket.ts";
import type { Answer } from "./plugin-calls.ts";
import type { RelayAddress } from "./relay-client.ts";

/** A process that was stopped takes a connection, too, and never says a word. */
const welcomeMs = 5_000;
/** A test alert may be spoken: that takes a while. */
const answerMs = 15_000;

export type Question = Extract<FromObserver, { type: "status" | "mute" | "test" }>;
export type AskRelay = (address: RelayAddress, question: Question) => Promise<Answer | undefined>;

/** Asks one relay one thing, over a connection of its own that ends with the answer. Never rejects. */
export const createAskRelay =
  ({ clock, openSocket }: { clock: Clock; openSocket: OpenSocket }): AskRelay =>
  async (address, question) => {
    let socket: Socket | undefined;
    let over = false;
    const hello = encode({ type: "hello", role: "observer", protocols: [...protocols], token: address.token });
    let cancelWelcome = () => {};
    const answered = new Promise<Answer | undefined>((answer) => {
      cancelWelcome = clock.after(welcomeMs, () => answer(undefined));
      const events = {
        onOpen: () => socket?.send(hello),
        onClose: () => answer(undefined),
        onText(text: string) {
          const told = readAnswer(text);
          if (told === "welcome") {
            cancelWelcome();
            socket?.send(encode(question));
          } else if (told !== undefined) answer(told);
        },
      };
      const opening = openSocket(address.url, events, maxObserverFrameBytes);
      guarded("relay", async () => {
        try {
          socket = await opening;
        } catch {
          return answer(undefined);
        }
        if (over) socket.cut();
      })();
    });
    const answer = await within(clock, answerMs, answered);
    over = true;
    cancelWelcome();
    socket?.cut();
    return answer;
  };

function readAnswer(text: string): Answer | "welcome" | undefined {
  const read = readToObserver(text);
  if (!read.ok) return undefined;
  const frame = read.value;
  if (frame.type === "welcome") return "welcome";
  if (frame.type === "status") return { ok: true, status: frame.status };
  return frame.type === "answer" ? { ok: frame.ok, text: frame.text } : undefined;
}
