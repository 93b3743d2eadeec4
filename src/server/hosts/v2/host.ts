/**
 * What we touch of opencode 2.x's server context, as our own types: structural mirrors of `@opencode/plugin`, never
 * imported. Source: opencode 2.0.26; members marked "later" are tested for before each use.
 */
export type V2Registration = { dispose?(): Promise<void> };

export type V2ToolEditor = {
  add(tool: {
    name: string;
    description: string;
    /** JSON Schema. */
    input: unknown;
    /** Kept out of code mode: the model sees it directly. */
    options: { codemode: false };
    execute(input: unknown, call: unknown): Promise<{ content: string }>;
  }): void;
};

export type V2Context = {
  /** Since 2.0.15. */
  event: { subscribe(options: { signal: AbortSignal }): AsyncIterable<unknown> };
  session: {
    /** Rejects when the session is unknown or deleted. */
    get(input: { sessionID: string }): Promise<unknown>;
    context?(input: { sessionID: string }): Promise<unknown>;
    hook?(name: "prompt", callback: (event: unknown) => void): Promise<V2Registration>;
  };
  location?: { directory?: string };
  permission?: {
    /** Those that wait. May reject right after the last reply: that means "not known". */
    list?(input: { sessionID: string }): Promise<unknown>;
    reply?(input: { sessionID: string; requestID: string; decision: "once" | "reject" }): Promise<void>;
  };
  tool?: {
    transform?(change: (editor: V2ToolEditor) => void): Promise<V2Registration>;
    hook?(name: "execute.after", callback: (event: unknown) => void): Promise<V2Registration>;
  };
  rpc?: {
    register?(
      contract: object,
      handlers: object,
    ): Promise<{ events?: { emit?(name: string, data: object): Promise<void> } }>;
  };
};

/** 1.18 calls `setup` too, with registrations only, and some 2.x processes do with a terminal's context: both are left quietly. */
export function isV2Context(context: unknown): context is V2Context {
  return hasFunction(member(context, "event"), "subscribe") && hasFunction(member(context, "session"), "get");
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const hasFunction = (value: unknown, name: string): boolean => typeof member(value, name) === "function";
