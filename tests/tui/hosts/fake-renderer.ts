import { EventEmitter } from "node:events";
import type { Renderer } from "../../../src/tui/hosts/renderer.ts";

/** OpenTUI's renderer as far as we touch it, with what it was made to write. */
export function createFakeRenderer() {
  const events = new EventEmitter();
  const capabilities: { focus_tracking: boolean } = { focus_tracking: false };
  const keyInput = new EventEmitter();
  const stdin = new EventEmitter();
  const written: string[] = [];
  const did: string[] = [];
  let handlers: ((sequence: string) => boolean)[] = [];
  const renderer = {
    on: (event, listener) => events.on(event, listener),
    off: (event, listener) => events.off(event, listener),
    capabilities,
    keyInput,
    stdin,
    controlState: "auto_started",
    isDestroyed: false,
    prependInputHandler(handler) {
      handlers.unshift(handler);
    },
    removeInputHandler(handler) {
      handlers = handlers.filter((other) => other !== handler);
    },
    suspend() {
      did.push("suspend");
      renderer.controlState = "explicit_suspended";
    },
    resume() {
      did.push("resume");
      renderer.controlState = "auto_started";
    },
    writeOut: (text: string) => written.push(text),
    triggerNotification: (message: string, title?: string) => written.push(`${title}: ${message}`) > 0,
  } satisfies Renderer & { controlState: string };
  return {
    renderer,
    events,
    keyInput,
    stdin,
    written,
    did,
    sequence: (text: string) => handlers.map((handler) => handler(text)),
    listeners: () =>
      [events, keyInput, stdin].reduce(
        (sum, emitter) => sum + emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0),
        handlers.length,
      ),
  };
}
