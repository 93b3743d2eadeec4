import { cleanText } from "../../shared/text.ts";
import { type ConfigGetDeps, configGet } from "./config-get.ts";
import { type ConfigSetDeps, configSet } from "./config-set.ts";
import { type NotifyUserDeps, notifyUser } from "./notify-user.ts";
import { type StatusDeps, status } from "./status.ts";
import type { Tool } from "./tool.ts";

export type ToolDeps = NotifyUserDeps & ConfigGetDeps & ConfigSetDeps & StatusDeps;

/** What a model is told of: more than every setting with all it takes. */
const answer = { lines: 400, columns: 4_000 };

/** Every tool of ours, ready for either host. They do nothing but read arguments, call what they are handed and word the answer. */
export const createTools = (deps: ToolDeps): Tool[] =>
  [notifyUser(deps), configGet(deps), configSet(deps), status(deps)].map(answeringPlainly);

/** The one way out to the model: what daemons, programs, files and sessions said arrives without anything unseen in it. */
const answeringPlainly = (tool: Tool): Tool => ({
  ...tool,
  run: async (args, call) => cleanText(await tool.run(args, call), answer),
});
