import type { ChannelName, Decision } from "../../src/server/core/decision.ts";

/** One line of `journal.jsonl`: a decision without its message, plus when, who and through which terminal. */
export type JournalLine = {
  /** ISO 8601, wall clock. */
  time: string;
  pid: number;
  alert: Decision["alert"];
  sessionID: string;
  requestID?: string;
  outcome: Decision["outcome"];
  reason: Decision["reason"];
  channels: ChannelName[];
  title?: string;
  by?: string;
  hidden?: Decision["hidden"];
};

/** Something of the host that waits for a person. `sessionID` is the asking session: a child's own, not its root's. */
export type Ask = { requestID: string; sessionID: string; about: "permission" | "question" };

/**
 * A running opencode with beckon in it, as a person or another client can handle it. The real 1.18 host and the 2.x
 * conformance host both implement it, so that one scenario runs on both. Every wait has a generous ceiling and then
 * rejects, naming what it waited for. Prompts carry the bracket keywords of the scripted model (tests/rig/model).
 */
export type HostUnderTest = {
  line: "v1" | "v2";
  /** A new root session. `ask` = what asks for permission in it ("bash", "edit"); everything else is allowed. "edit" also holds for its children. */
  newSession(options?: { ask?: string[] }): Promise<string>;
  /** Resolves when the host has accepted the prompt, not when it is answered. */
  prompt(sessionID: string, text: string): Promise<void>;
  /** The next ask (of that session, else of any) that was not handed out before. */
  nextAsk(sessionID?: string): Promise<Ask>;
  /** Answers a permission, as another client would. */
  reply(requestID: string, answer: "once" | "always" | "reject", message?: string): Promise<void>;
  /** Answers a question with its first option. */
  answer(requestID: string): Promise<void>;
  /** Closes a question without an answer. */
  dismiss(requestID: string): Promise<void>;
  abort(sessionID: string): Promise<void>;
  remove(sessionID: string): Promise<void>;
  /** Waits until the host says that this session's run, started by the last `prompt`, has ended. */
  ended(sessionID: string): Promise<void>;
  /** Waits until the host says that this session waits for another try of its model. */
  retrying(sessionID: string): Promise<void>;
  /** All lines of the journal so far, oldest first. */
  decisions(): Promise<JournalLine[]>;
  /** Waits for a journal line (earlier lines count) for which the predicate holds. */
  decided(predicate: (line: JournalLine) => boolean): Promise<JournalLine>;
  /** Waits until nothing of before waits in a settle window: a session with real work is run and its `done` awaited. */
  settled(): Promise<void>;
  close(): Promise<void>;
};
