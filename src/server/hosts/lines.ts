import type { HostEvent } from "../core/event.ts";
import type { SessionFacts } from "../core/input.ts";
import type { MessageView } from "../core/message-history.ts";
import * as v1Hooks from "./v1/hooks.ts";
import { messageViews as v1Messages } from "./v1/messages.ts";
import { sessionFacts as v1Session } from "./v1/session-facts.ts";
import { translate as v1Translate } from "./v1/translate.ts";
import * as v2Hooks from "./v2/hooks.ts";
import { messageViews as v2Messages } from "./v2/messages.ts";
import { sessionFacts as v2Session } from "./v2/session-facts.ts";
import { translate as v2Translate } from "./v2/translate.ts";

/** How one line of opencode speaks: its events, hooks and records, read into our words. Pure. */
export type Line = {
  translate(event: unknown): HostEvent | undefined;
  translateHook(hook: string, input: unknown, output: unknown): HostEvent | undefined;
  sessionFacts(session: unknown): SessionFacts;
  messageViews(messages: unknown): MessageView[];
};

export const lines = {
  v1: {
    translate: v1Translate,
    translateHook: v1Hooks.translateHook,
    sessionFacts: v1Session,
    messageViews: v1Messages,
  },
  v2: {
    translate: v2Translate,
    translateHook: v2Hooks.translateHook,
    sessionFacts: v2Session,
    messageViews: v2Messages,
  },
} satisfies Record<"v1" | "v2", Line>;
