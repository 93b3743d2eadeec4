import type { Log } from "../../shared/log.ts";
import { cleanTitle } from "../../shared/text.ts";
import type { Decision } from "../core/decision.ts";
import { createLineFile } from "../files/append-lines.ts";
import { journalPath } from "./journal-path.ts";

/** `value`: as it stands in the file now; null: it does not stand there any more. */
export type Change = { key: string; value: unknown; author: "model"; sessionID: string };

export type Journal = {
  /** `wall`: epoch ms of the decision. Queued; never throws, never waits. */
  append(decision: Decision, when: { wall: number }): void;
  /** For a process that ends right now. */
  appendNow(decision: Decision, when: { wall: number }): void;
  /** A setting that was changed, and not by the person. */
  appendChange(change: Change, when: { wall: number }): void;
  flush(): Promise<void>;
};

const rotateBytes = 1_024 * 1_024;
/** Together they keep a line below 4 KiB: one write that no other process can get into. */
const longestTitle = 200;
const longestID = 128;

/** One line a decision, shared by all server processes of a user, rotated at 1 MiB to `journal.jsonl.1`. */
export function createJournal({ stateDir, log, pid }: { stateDir: string; log: Log; pid: number }): Journal {
  const onFailure = (why: string) => log(`journal not written: ${why}`);
  const file = createLineFile({ path: journalPath(stateDir), rotateBytes, onFailure });
  return {
    append: (decision, { wall }) => file.append(journalLine(decision, { wall, pid })),
    appendNow: (decision, { wall }) => file.appendNow(journalLine(decision, { wall, pid })),
    appendChange: (change, { wall }) => file.append(changeLine(change, { wall, pid })),
    flush: () => file.flush(),
  };
}

/** The decision line of `docs/decisions.md` without `message`, plus `time`, `pid`, `by` and `hidden`. At most 4 KiB with its end. */
export function journalLine(decision: Decision, { wall, pid }: { wall: number; pid: number }): string {
  const { at, alert, sessionID, requestID, outcome, reason, channels, title, by, hidden } = decision;
  return JSON.stringify({
    time: new Date(wall).toISOString(),
    pid,
    t: Math.round(at),
    alert,
    sessionID: cut(sessionID, longestID),
    requestID: requestID === undefined ? undefined : cut(requestID, longestID),
    outcome,
    reason,
    channels,
    title: title === undefined ? undefined : cut(title, longestTitle),
    by: by === undefined ? undefined : cut(by, longestID),
    hidden,
  });
}

const longestValue = 600;

/** Beside the decisions, so that `why` can name what silenced one. A value of more than 600 characters is cut, and text then. */
export function changeLine(
  { key, value, author, sessionID }: Change,
  { wall, pid }: { wall: number; pid: number },
): string {
  const written = JSON.stringify(value);
  return JSON.stringify({
    time: new Date(wall).toISOString(),
    pid,
    change: key,
    value: written.length > longestValue ? cut(written, longestValue) : value,
    author,
    sessionID: cut(sessionID, longestID),
  });
}

/** Without anything unseen, by whole characters; JSON writes a UTF-16 unit as at most 6 bytes. */
const cut = (text: string, most: number): string => {
  const plain = cleanTitle(text, most);
  return plain.length <= most
    ? plain
    : [...plain]
        .slice(0, most - 1)
        .join("")
        .concat("…");
};
