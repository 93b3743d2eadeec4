import type { Clock } from "../../shared/clock.ts";
import { guarded } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import { configPath } from "../config/location.ts";
import type { Decision } from "../core/decision.ts";
import type { HostEvent, SessionEvent } from "../core/event.ts";
import { addNewest } from "../core/state.ts";
import { classify } from "../core/work.ts";
import type { Presence } from "../focus/presence.ts";
import { version } from "../version.ts";
import type { HostQueries } from "./host.ts";
import { createRecordedTerminals } from "./recorded-terminals.ts";
import type { RuntimeServices } from "./services.ts";
import { hosts } from "./status.ts";

/** On 2.x every instance of the plugin hears every event: told once. */
const rememberedEvents = 1_000;

/**
 * What was heard, looked up and decided, for `beckon.log` under `BECKON_DEBUG=1`: kinds, ids and counts, never a text of
 * the person's: no title, no prompt, no command, no tool's name or input.
 */
export function createEventLog({ clock, detail }: { clock: Clock; detail: Log }) {
  const told = new Set<string>();
  const terminals = createRecordedTerminals(clock, (line) => detail(`terminal ${words(Object.values(line).slice(1))}`));

  const heard = guarded("details", ({ sessionID, id, events }: HostEvent) => {
    if (id !== undefined && told.has(id)) return;
    if (id !== undefined) addNewest(told, id, rememberedEvents);
    for (const event of events) detail(`heard ${words([sessionID, event.kind, ...factsOf(event)])}`);
  });

  /** `what` is what came of it; a rejection says no more than that there was one. */
  async function lookUp<T>(question: string, answer: Promise<T>, what: (found: T) => string): Promise<T> {
    try {
      const found = await answer;
      detail(`looked up ${question}: ${what(found)}`);
      return found;
    } catch (error) {
      detail(`looked up ${question}: no answer`);
      throw error;
    }
  }

  return {
    hearing:
      (receive: (event: HostEvent) => void) =>
      (event: HostEvent): void => {
        heard(event);
        receive(event);
      },
    presenceChanged: (presence: Presence): void => terminals.follow(presence),
    decided({ alert, outcome, reason, sessionID, requestID, channels, by, hidden = [] }: Decision): void {
      const on = channels.length === 0 ? [] : ["→", ...channels];
      const looking = by === undefined ? [] : [`(${by})`];
      detail(`decided ${words([sessionID, requestID, alert, outcome, reason, ...on, ...looking, ...hidden])}`);
    },
    watched(host: HostQueries): HostQueries {
      const { answer } = host;
      return {
        session: (sessionID) => lookUp(sessionID, host.session(sessionID), placeOf),
        messages: (sessionID) =>
          lookUp(`${sessionID}'s messages`, host.messages(sessionID), ({ length }) => `${length}`),
        ...(answer === undefined
          ? {}
          : {
              answer: (sessionID, requestID, decision) =>
                lookUp(`${requestID} ${decision}`, answer(sessionID, requestID, decision), () => "accepted"),
            }),
      };
    },
  };
}

/** Undefined when nobody wants to read them: then nothing is worded either. */
export function startEventLog({ clock, debug, place }: RuntimeServices, line: "v1" | "v2"): EventLog | undefined {
  const { detail } = debug;
  detail?.(`started opencode-beckon ${version} on ${hosts[line]}, configuration ${configPath(place)}`);
  return detail === undefined ? undefined : createEventLog({ clock, detail });
}

export type EventLog = ReturnType<typeof createEventLog>;

type Fact = string | number | undefined;

const words = (facts: readonly unknown[]): string =>
  facts
    .filter((fact) => fact !== undefined)
    .map((fact) => (typeof fact === "object" ? JSON.stringify(fact) : String(fact)))
    .join(" ");

const placeOf = (found: Awaited<ReturnType<HostQueries["session"]>>): string => {
  if (found === "missing") return "missing";
  return found.parentID === null ? "a root" : `child of ${found.parentID}`;
};

/** What of an event says something without saying what anybody wrote. */
function factsOf(event: SessionEvent): Fact[] {
  switch (event.kind) {
    case "described":
      return event.parentID === undefined ? [] : [event.parentID === null ? "root" : `child of ${event.parentID}`];
    case "userMessage":
      return [event.messageID];
    case "userText":
      return [event.messageID, event.trigger];
    case "prompted":
      return [event.promptID, event.trigger, event.queued === true ? "queued" : undefined];
    case "promptRead":
      return [event.promptID];
    case "retrying":
      return [event.attempt];
    case "failed":
      return [event.name];
    case "toolNamed":
    case "toolInput":
      return [event.callID];
    case "toolEnded":
      return [event.callID, event.succeeded ? "succeeded" : "failed", workOf(event)];
    case "childLinked":
      return [event.childID, event.launched ? "in the background" : undefined];
    case "asked":
      return [event.ask.requestID, event.ask.about];
    case "answered":
      return [event.requestID ?? "all", event.how];
    default:
      return [];
  }
}

const workOf = ({ tool, input }: { tool?: string; input?: unknown }): Fact =>
  tool === undefined ? undefined : classify(tool, input);
