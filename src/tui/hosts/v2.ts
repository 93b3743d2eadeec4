import type { View } from "../../shared/focus.ts";
import { isSessionID } from "../../shared/session-id.ts";
import type { Command, TerminalHost } from "../terminal-host.ts";
import { attempt } from "./attempt.ts";
import { listenToRenderer } from "./listen-to-renderer.ts";
import { screenOf } from "./screen.ts";
import { createV2Calls } from "./v2-calls.ts";
import type { V2Command, V2Context } from "./v2-context.ts";

const readingMs = 15_000;

/** opencode 2.x's terminal in our words. */
export function createV2Host(context: V2Context): TerminalHost {
  const toast = (message: string, title?: string, duration = 5_000) =>
    attempt(() => context.ui?.toast?.show?.({ title, message, variant: "info", duration }));

  return {
    listen(happened) {
      const { renderer } = context;
      return renderer === undefined ? () => {} : listenToRenderer({ renderer, happened });
    },
    view: () => attempt(() => viewOf(context)) ?? { type: "other" },
    screen: screenOf(attempt(() => context.renderer)),
    navigate(sessionID) {
      if (isSessionID(sessionID)) attempt(() => context.ui?.router?.navigate?.({ type: "session", sessionID }));
    },
    toast: (message, title) => toast(message, title),
    show: (title, lines) => toast(lines.join("\n"), title, readingMs),
    /** No dialog is known to stay as it is on 2.x: the first option is taken and said. */
    choose(_title, options, chosen) {
      const [first] = options;
      if (first !== undefined) chosen(first.value);
    },
    addCommands: (commands) => addCommands(context, commands),
    calls: createV2Calls(context),
  };
}

function viewOf({ ui, data }: V2Context): View {
  const route = ui?.router?.current?.();
  if (route?.type === "home") return { type: "home" };
  const sessionID = route?.type === "session" ? route.sessionID : undefined;
  if (!isSessionID(sessionID)) return { type: "other" };
  const rootID = attempt(() => data?.session?.root?.(sessionID));
  return { type: "session", sessionID, rootID: isSessionID(rootID) ? rootID : undefined };
}

/** Commands may only be added from inside a component: a slot that draws nothing is one. */
function addCommands(context: V2Context, commands: readonly Command[]): () => void {
  const render = () => {
    attempt(() => context.keymap?.layer?.(() => ({ commands: commands.map(toV2) })));
    return null;
  };
  const end: unknown = attempt(() => context.ui?.slot?.({ append: "app", render }));
  return () => (typeof end === "function" ? attempt(() => end()) : undefined);
}

const toV2 = ({ name, title, slash, run }: Command): V2Command => ({
  id: name,
  title,
  group: "Beckon",
  palette: true,
  slash: { name: slash },
  run,
});
