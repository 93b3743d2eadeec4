import type { View } from "../../shared/focus.ts";
import { guarded } from "../../shared/guard.ts";
import { isSessionID } from "../../shared/session-id.ts";
import type { Command, TerminalHost } from "../terminal-host.ts";
import { attempt } from "./attempt.ts";
import { listenToRenderer } from "./listen-to-renderer.ts";
import { screenOf } from "./screen.ts";
import type { V1Api, V1Command } from "./v1-api.ts";

/** How far up a session's parents are followed. */
const deepest = 20;

/** opencode 1.18's terminal in our words. */
export function createV1Host(api: V1Api): TerminalHost {
  return {
    listen(happened) {
      const { renderer } = api;
      return renderer === undefined ? () => {} : listenToRenderer({ renderer, happened });
    },
    view: () => attempt(() => viewOf(api)) ?? { type: "other" },
    screen: screenOf(attempt(() => api.renderer)),
    navigate(sessionID) {
      if (isSessionID(sessionID)) attempt(() => api.route?.navigate?.("session", { sessionID }));
    },
    toast: (message, title) => attempt(() => api.ui?.toast?.({ title, message, variant: "info", duration: 5_000 })),
    show(title, lines) {
      const { dialog, DialogAlert } = api.ui ?? {};
      attempt(() => dialog?.replace?.(() => DialogAlert?.({ title, message: lines.join("\n") })));
    },
    choose(title, options, chosen) {
      const { dialog, DialogSelect } = api.ui ?? {};
      const onSelect = guarded("dialog", ({ value }: { value?: unknown }) => {
        attempt(() => dialog?.clear?.());
        if (typeof value === "number") chosen(value);
      });
      attempt(() => dialog?.replace?.(() => DialogSelect?.({ title, options, onSelect })));
    },
    addCommands(commands) {
      const end: unknown = attempt(() => api.keymap?.registerLayer?.({ commands: commands.map(toV1), bindings: [] }));
      return () => (typeof end === "function" ? attempt(() => end()) : undefined);
    },
  };
}

function viewOf({ route, state }: V1Api): View {
  const current = route?.current;
  if (current?.name === "home") return { type: "home" };
  const sessionID = current?.name === "session" ? current.params?.sessionID : undefined; // `dummy` while it is opened
  if (!isSessionID(sessionID)) return { type: "other" };
  return { type: "session", sessionID, rootID: rootOf(sessionID, (id) => state?.session?.get?.(id)) };
}

/** Undefined when some parent is not known: half a way up is no root. */
function rootOf(sessionID: string, find: (id: string) => { parentID?: unknown } | undefined): string | undefined {
  let id = sessionID;
  for (let depth = 0; depth < deepest; depth += 1) {
    const session = attempt(() => find(id));
    if (session === undefined) return undefined;
    if (!isSessionID(session.parentID)) return id;
    id = session.parentID;
  }
  return undefined;
}

const toV1 = ({ name, title, description, slash, run }: Command): V1Command => ({
  namespace: "palette",
  name,
  title,
  desc: description,
  category: "Beckon",
  slashName: slash,
  run,
});
