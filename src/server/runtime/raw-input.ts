/** What a host told, raw: an event, a hook call, or its answer to a question of ours. For `beckon record`. */
export type RawInput =
  | { kind: "event"; event: unknown }
  | { kind: "hook"; hook: string; input: unknown; output?: unknown }
  | { kind: "session"; sessionID: string; session: unknown }
  | { kind: "missing"; sessionID: string }
  | { kind: "messages"; sessionID: string; messages: unknown };
