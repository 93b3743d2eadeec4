/** Texts under these keys are codes of the host's or of ours: decisions are made of them. */
export const codeKeys: ReadonlySet<string> = new Set([
  ...["kind", "op", "line", "platform", "startedAt", "timeZone", "tui", "channel", "result", "focus", "view", "notify"],
  ...["type", "role", "status", "mode", "finish", "tool", "name", "hook", "state", "code", "outcome", "recent"],
  ...["action", "permission", "reason", "reply", "decision", "delivery", "method", "source", "field", "owner", "kinds"],
]);

export const pathKeys: ReadonlySet<string> = new Set([
  "directory",
  "cwd",
  "root",
  "worktree",
  "path",
  "home",
  "canonical",
]);

/** Texts of our own configuration that are one of a few words, a time or a language. */
export const configCodeKeys: ReadonlySet<string> = new Set([
  ...["locale", "mode", "whenFocused", "work", "delegated", "detail", "suppress", "terminal", "type", "events"],
  ...["from", "to", "days"],
]);

/** One word without the signs that paths, addresses and sentences have; a time zone and an ISO time pass. */
export const isCode = (text: string): boolean =>
  /^[\w.:+-]{1,64}$/.test(text) || /^[A-Z][A-Za-z_]+\/[A-Za-z_]+$/.test(text);

/** Ids the host makes itself: they say nothing about anybody. `global` owns what belongs to no session. */
export const isHostID = (text: string): boolean =>
  text === "global" || /^(ses|msg|prt|per|que|frm|form|evt|inb|wrk|call|toolu|job|shl|tool)_[\w-]{1,100}$/.test(text);

/** Titles opencode gives before it knows better. */
export const isDefaultTitle = (text: string): boolean =>
  /^(New|Child) session - \d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text);

/** The key itself, unless somebody's text is used as one. */
export const harmlessKey = (key: string): string => (/^[A-Za-z$_][\w$.-]{0,63}$/.test(key) ? key : "key");
