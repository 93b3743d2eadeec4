import type { HostClient } from "./host-client.ts";
import type { HostEvents } from "./host-events.ts";
import { waitUntil } from "./wait-for.ts";

const askable = ["bash", "edit"];

const rulesFor = (ask: string[]) =>
  askable.map((permission) => {
    const action = ask.includes(permission) ? ("ask" as const) : ("allow" as const);
    return { permission, pattern: "*", action };
  });

/** A person's sessions on the real host. Each has a title of its own, so that a banner tells whose it is. */
export function createSessions({ client, events }: { client: HostClient; events: HostEvents }) {
  const titles = new Map<string, string>();
  const endsBefore = new Map<string, number>();
  let created = 0;

  async function newSession({ ask = [], title }: { ask?: string[]; title?: string } = {}): Promise<string> {
    created += 1;
    const session = await client.createSession(title ?? `Session ${created}`, rulesFor(ask));
    titles.set(session.id, session.title);
    return session.id;
  }

  async function send(sessionID: string, text: string, synthetic: boolean): Promise<void> {
    endsBefore.set(sessionID, events.endsOf(sessionID));
    await client.prompt(sessionID, [{ type: "text", text, ...(synthetic ? { synthetic } : {}) }]);
  }

  const hasEnded = (sessionID: string) => events.endsOf(sessionID) > (endsBefore.get(sessionID) ?? 0);
  const hasStatus = (sessionID: string, status: string) => () => events.statusOf(sessionID) === status;

  return {
    newSession,
    titleOf: (sessionID: string) => titles.get(sessionID) ?? "",
    prompt: (sessionID: string, text: string) => send(sessionID, text, false),
    /** A prompt nobody typed: all its parts are synthetic. */
    promptSynthetic: (sessionID: string, text: string) => send(sessionID, text, true),
    /** What a plugin leaves in a session for the person to read: the model never sees it, and nothing runs. */
    notice: async (sessionID: string, text: string) =>
      void (await client.prompt(sessionID, [{ type: "text", text, ignored: true }], { noReply: true })),
    ended: (sessionID: string) => waitUntil(`the end of ${sessionID}'s run`, () => hasEnded(sessionID)),
    /** Waits until the host says that this session works. */
    working: (sessionID: string) => waitUntil(`work of ${sessionID}`, hasStatus(sessionID, "busy")),
    retrying: (sessionID: string) => waitUntil(`a retry of ${sessionID}`, hasStatus(sessionID, "retry")),
    abort: async (sessionID: string) => void (await client.abort(sessionID)),
    remove: async (sessionID: string) => void (await client.remove(sessionID)),
  };
}
