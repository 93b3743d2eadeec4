import * as z from "zod/mini";

export type PermissionRule = { permission: string; pattern: string; action: "ask" | "allow" | "deny" };
export type PromptPart = { type: "text"; text: string; synthetic?: boolean; ignored?: boolean };

const session = z.looseObject({ id: z.string(), title: z.string(), parentID: z.optional(z.string()) });
const waiting = z.array(z.looseObject({ id: z.string(), sessionID: z.string() }));

/** The few calls of the 1.18 HTTP interface that the rig needs. Rejects with the host's answer when it refuses. */
export type HostClient = ReturnType<typeof hostClient>;

export function hostClient(url: string, directory: string) {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", "x-opencode-directory": directory },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
  return {
    createSession: async (title: string | undefined, permission: PermissionRule[]) =>
      session.parse(await call("POST", "/session", { ...(title === undefined ? {} : { title }), permission })),
    session: async (id: string) => session.parse(await call("GET", `/session/${id}`)),
    sessions: async () => z.array(session).parse(await call("GET", "/session")),
    prompt: (id: string, parts: PromptPart[], how: { noReply?: true } = {}) =>
      call("POST", `/session/${id}/prompt_async`, { parts, ...how }),
    abort: (id: string) => call("POST", `/session/${id}/abort`, {}),
    remove: (id: string) => call("DELETE", `/session/${id}`),
    permissions: async () => waiting.parse(await call("GET", "/permission")),
    replyPermission: (id: string, reply: "once" | "always" | "reject", message?: string) =>
      call("POST", `/permission/${id}/reply`, { reply, ...(message === undefined ? {} : { message }) }),
    answerQuestion: (id: string, answers: string[][]) => call("POST", `/question/${id}/reply`, { answers }),
    rejectQuestion: (id: string) => call("POST", `/question/${id}/reject`, {}),
    disposeInstance: () => call("POST", "/instance/dispose", {}),
    selectSession: (sessionID: string) => call("POST", "/tui/select-session", { sessionID }),
  };
}
