/** What a terminal replies to which question (a regular expression, latin1). `{1}` in a reply is the question's first group. */
type Reply = readonly [question: string, reply: string];

/** What a terminal tells about itself: the variables it sets and its replies. */
export type TerminalKind = { env: Record<string, string>; replies: readonly Reply[] };

const stringEnd = "\x1b\\";

/** Whether focus reports (mode 1004) are known: they are. */
export const knowsFocus: Reply = [String.raw`\x1b\[\?1004\$p`, "\x1b[?1004;2$y"];

/** XTVERSION. */
const named = (name: string): Reply => [String.raw`\x1b\[>0?q`, `\x1bP>|${name}${stringEnd}`];

/** DA1, which every terminal answers. */
const attributes: Reply = [String.raw`\x1b\[c`, "\x1b[?62;22c"];

/** As kitty 0.36 and later answer. Source: kitty's desktop notification protocol, «Querying for support». */
const abilities = "a=focus,report:o=always,unfocused,invisible:u=0,1,2:p=title,body,?,close,icon,alive,buttons:c=1:w=1";
const osc99: Reply = [
  String.raw`\x1b\]99;i=([^:;\x07\x1b]*):p=\?;(?:\x1b\\|\x07)`,
  `\x1b]99;i={1}:p=?;${abilities}${stringEnd}`,
];

/** iTerm2's feature reporting; `No`: it shows notifications. Source: iterm2.com/feature-reporting. */
const features: Reply = [String.raw`\x1b\]1337;Capabilities(?:\x1b\\|\x07)`, `\x1b]1337;Capabilities=No${stringEnd}`];

const kind = (name: string, env: Record<string, string> = {}, ...more: Reply[]): TerminalKind => ({
  env,
  replies: [named(name), attributes, ...more],
});

export const terminalKinds = {
  kitty: kind("kitty(0.42.1)", { TERM: "xterm-kitty" }, osc99),
  /** Nobody we know by name, which says that it knows OSC 99. */
  stranger: kind("Novel 1.0", {}, osc99),
  /** Nobody we know by name, which tells the host's renderer, and no one else, that it shows notifications. */
  reporter: kind("Reporter 1.0", {}, features),
  ghostty: kind("ghostty 1.2.0", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }),
  iTerm: kind("iTerm2 3.6.1", { TERM_PROGRAM: "iTerm.app" }),
  xterm: kind("XTerm(379)"),
} as const satisfies Record<string, TerminalKind>;
