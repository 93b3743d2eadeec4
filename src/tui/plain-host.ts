import { cleanBody, cleanText, cleanTitle } from "../shared/text.ts";
import type { TerminalHost } from "./terminal-host.ts";

/** A dialog that runs off the screen for ever helps nobody; what is cut off stands in `beckon status`. */
const dialog = { lines: 100, columns: 200 };
const longestToast = 600;
const longestTitle = 200;
const mostOptions = 50;

/**
 * The host as the terminal part uses it: whatever a relay or a plugin call said, what reaches dialog, toast and
 * notification cannot act on the terminal and has an end. Whole sequences of ours go by `screen.write`.
 */
export const plainHost = (host: TerminalHost): TerminalHost => ({
  ...host,
  screen: {
    ...host.screen,
    notify: (message, title) => host.screen.notify(cleanBody(message), cleanTitle(title)),
  },
  toast: (message, title) =>
    host.toast(cleanBody(message, longestToast), title === undefined ? undefined : cleanTitle(title, longestTitle)),
  show: (title, lines) => host.show(cleanTitle(title, longestTitle), cleanText(lines.join("\n"), dialog).split("\n")),
  choose: (title, options, chosen) =>
    host.choose(
      cleanTitle(title, longestTitle),
      options.slice(0, mostOptions).map(({ title, value }) => ({ title: cleanTitle(title, longestTitle), value })),
      chosen,
    ),
});
