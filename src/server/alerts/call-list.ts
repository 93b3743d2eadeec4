import type { Call } from "./call.ts";
import type { OpenRequest } from "./words.ts";

/** Ends that may still be taken back. A banner older than that many lies in a list somewhere. */
const mostLive = 500;

/** The alerts that are decided, held back or on somebody's screen, oldest first. */
export type CallList = ReturnType<typeof createCallList>;

export function createCallList(seed: readonly Call[] = []) {
  const calls = new Map(seed.map((call) => [call.id, call]));

  const all = (): Call[] => [...calls.values()];
  const ofSession = (sessionID: string): Call[] => all().filter((call) => call.sessionID === sessionID);
  /** What somebody saw is on no banner any more, whatever may still follow. */
  const isUp = ({ stage, known }: Call): boolean => stage === "shown" && known !== true;
  const isEnd = ({ alert }: Call): boolean => alert.kind !== "pause";

  return {
    get: (id: string) => calls.get(id),
    has: (id: string) => calls.has(id),
    put: (call: Call) => void calls.set(call.id, call),
    remove: (id: string) => void calls.delete(id),
    all,
    ofSession,
    endsOf: (sessionID: string): Call[] => ofSession(sessionID).filter(isEnd),
    highestSerial: (): number => Math.max(0, ...all().map(({ serial }) => serial)),
    /** The newest one its banner tells of. */
    newestShown: (sessionID: string): Call | undefined => ofSession(sessionID).findLast(isUp),
    /** The pause that tells of a request. */
    about: (sessionID: string, requestID: string): Call | undefined =>
      ofSession(sessionID).find(
        ({ alert }) => alert.kind === "pause" && alert.requests.some((open) => open.requestID === requestID),
      ),
    /** What a session's banners name. */
    openRequests: (sessionID: string): OpenRequest[] =>
      ofSession(sessionID)
        .filter(isUp)
        .flatMap(({ alert }) => (alert.kind === "pause" ? alert.requests : [])),
    /** Sessions whose `done` banner is up. */
    finished: (): string[] =>
      all().flatMap(({ alert, sessionID, shownAs, gone }) =>
        alert.kind === "done" && gone !== true && shownAs?.channels.includes("banner") === true ? [sessionID] : [],
      ),
    /** The oldest end, once there are too many to remember. */
    surplus: (): Call | undefined =>
      calls.size <= mostLive ? undefined : all().find((call) => call.stage === "shown" && isEnd(call)),
  };
}
