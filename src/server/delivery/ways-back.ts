import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { Note, NoteEvent, WayBack } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import type { NtfyTarget } from "./push-request.ts";
import { openTopicStream } from "./topic-stream.ts";
import { topicURL } from "./topic-url.ts";

export type WaysBackParts = {
  env: Environment;
  clock: Clock;
  log: Log;
  onNote(event: NoteEvent): void;
  /** Whether that target's setting is still on, as the file says now. */
  answersCount(target: NtfyTarget): Promise<boolean>;
  adopted?: readonly WayBack[];
};

/** ntfy.sh allows one address 30 subscriptions; a message beyond these has no buttons. */
const mostOpen = 10;

/** 192 bits: nobody finds the topic, or the value that presses a button, by trying. */
const secret = (): string => randomBytes(24).toString("base64url");

/**
 * How a pressed button of a pushed message comes back: the phone writes the button's value, known to that message alone,
 * to a topic of its own on the same ntfy server. We listen there while the ask is open; the first right value counts.
 */
export function createWaysBack({ env, clock, log, onNote, answersCount, adopted = [] }: WaysBackParts) {
  const open = new Map<string, { way: WayBack; stream: { close(): void } }>();
  for (const way of adopted) listen(way);

  async function answered(event: NoteEvent, target: NtfyTarget): Promise<void> {
    if (await answersCount(target)) onNote(event);
    else log("push: an answer came whose setting is off; it does not count");
  }

  function listen(way: WayBack): void {
    const { topic, target, key, sessionID, buttons } = way;
    const stream = openTopicStream({
      url: `${topicURL(target.url, topic, "json")}?since=all`,
      token: target.token,
      env,
      clock,
      heard(text) {
        const pressed = buttons.find(({ value }) => value === text);
        if (pressed === undefined || !open.has(topic)) return;
        close(({ requestID }) => requestID === way.requestID);
        unattended(
          "answer",
          answered({ type: "action", key, sessionID, action: pressed.action, from: "push" }, target),
        );
      },
      trouble: (why) => log(`push: answers cannot be heard (${why})`),
    });
    open.set(topic, { way, stream });
  }

  function close(which: (way: WayBack) => boolean): void {
    for (const [topic, { way, stream }] of open) {
      if (!which(way)) continue;
      open.delete(topic);
      stream.close();
    }
  }

  return {
    /** Buttons for a message about this request, listened for from now on; undefined when there are enough of them. */
    offer({ key, sessionID, actions = [] }: Note, target: NtfyTarget, requestID: string): WayBack | undefined {
      if (open.size >= mostOpen) return undefined;
      const buttons = actions.map(({ key: action, label }) => ({ value: secret(), action, label }));
      const way = { requestID, key, sessionID, target, topic: `beckon-${secret()}`, buttons };
      listen(way);
      return way;
    },
    close,
    all: (): WayBack[] => [...open.values()].map(({ way }) => way),
  };
}
