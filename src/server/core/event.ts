/** Who started a round: a person at the keyboard, or the host, a plugin, a background result. */
export type Trigger = "typed" | "synthetic";

/** A question or permission that waits. `label` is the short header or the action word; never its text or arguments. */
export type Ask = {
  requestID: string;
  about: "permission" | "question";
  label?: string;
  /** Questions in one form. */
  count: number;
  /** The tool call it belongs to: a permission and a form of one call are one alert. */
  callID?: string;
};

export type Refusal = "replied" | "refused";

/** What happened to a session, in our words. Host names stop at `hosts/`. */
export type SessionEvent =
  | { kind: "described"; title?: string; parentID?: string | null; directory?: string }
  | { kind: "deleted" }
  /** A message of role user exists; its texts follow (1.18). */
  | { kind: "userMessage"; messageID: string }
  | { kind: "userText"; messageID: string; trigger: Trigger }
  /** Input was accepted. `queued`: the host tells when it is read (2.x). */
  | { kind: "prompted"; trigger: Trigger; promptID?: string; queued?: boolean }
  | { kind: "promptRead"; promptID: string }
  | { kind: "started" }
  /** `legacy`: told by the event that once was the only one, and comes beside the real one now. */
  | { kind: "ended"; legacy?: true }
  | { kind: "stepStarted" }
  | { kind: "stepEnded" }
  /** The model has begun to say or do something. */
  | { kind: "answering" }
  | { kind: "retrying"; attempt: number }
  /** Recorded only: the end that follows decides. */
  | { kind: "failed"; name: string }
  | { kind: "toolNamed"; callID: string; tool: string; input?: unknown }
  | { kind: "toolInput"; callID: string; input: unknown }
  | { kind: "toolEnded"; callID: string; succeeded: boolean; tool?: string; input?: unknown }
  /** A call of this session started that child; `launched` = it runs on in the background. */
  | { kind: "childLinked"; childID: string; launched: boolean }
  | { kind: "asked"; ask: Ask }
  /** Without a request id every open ask of the session is closed. */
  | { kind: "answered"; requestID?: string; how: Refusal }
  /** The host says that somebody has seen the session's end (2.x). */
  | { kind: "viewed" };

/** A translated host event. `id` is the host's own, for repeats; `created` is epoch ms where the host tells it. */
export type HostEvent = { sessionID: string; id?: string; created?: number; events: readonly SessionEvent[] };
