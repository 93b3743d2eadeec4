import type { View } from "../../src/shared/focus.ts";
import type { Happening } from "../../src/tui/focus-state.ts";
import type { TerminalHost } from "../../src/tui/terminal-host.ts";

/** A terminal that does what a test says and keeps what it was asked for. */
export function createFakeTerminal(more: Partial<TerminalHost> = {}) {
  const did: unknown[][] = [];
  const shown: { view: View } = { view: { type: "home" } };
  let happened: (happening: Happening) => void = () => {};
  const host: TerminalHost = {
    listen(told) {
      happened = told;
      return () => {
        happened = () => {};
      };
    },
    view: () => shown.view,
    screen: {
      hearsFocus: true,
      terminalName: () => undefined,
      hostReportsFocus: () => false,
      onCapabilities: () => () => {},
      onDestroyed: () => () => {},
      isSuspended: () => false,
      write: (bytes) => did.push(["write", bytes]) > 0,
      notify: (message, title) => {
        did.push(["notify", title, message]);
        return true;
      },
    },
    navigate: (sessionID) => did.push(["navigate", sessionID]),
    toast: (message, title) => did.push(["toast", title, message]),
    show: (title, lines) => did.push(["show", title, ...lines]),
    choose: (title, options, chosen) => {
      did.push(["choose", title, ...options.map((option) => option.title)]);
      const [first] = options;
      if (first !== undefined) chosen(first.value);
    },
    addCommands: () => () => {},
    ...more,
  };
  return { host, did, shown, happen: (happening: Happening) => happened(happening) };
}
