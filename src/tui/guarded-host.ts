import { answering, guarded } from "../shared/guard.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** The host as the terminal part uses it: whatever of ours it calls back throws nothing at it. */
export const guardedHost = (host: TerminalHost): TerminalHost => ({
  ...host,
  listen: (happened) => host.listen(guarded("renderer", happened)),
  screen: {
    ...host.screen,
    onCapabilities: (changed) => host.screen.onCapabilities(guarded("renderer", changed)),
    onDestroyed: (gone) => host.screen.onDestroyed(guarded("renderer", gone)),
    ...withSequences(host.screen),
  },
  choose: (title, options, chosen) => host.choose(title, options, guarded("dialog", chosen)),
  addCommands: (commands) => host.addCommands(commands.map((each) => ({ ...each, run: guarded(each.name, each.run) }))),
  ...withCalls(host),
});

/** What a bug of ours kept us from looking at is the host's. */
const withSequences = ({ onSequence }: TerminalHost["screen"]): Pick<TerminalHost["screen"], "onSequence"> =>
  onSequence === undefined ? {} : { onSequence: (handler) => onSequence(answering("sequence", false, handler)) };

const withCalls = ({ calls }: TerminalHost): Pick<TerminalHost, "calls"> =>
  calls === undefined
    ? {}
    : { calls: { ...calls, onWish: (viewer, wished) => calls.onWish(viewer, guarded("wish", wished)) } };
