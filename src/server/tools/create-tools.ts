import { type ConfigGetDeps, configGet } from "./config-get.ts";
import { type ConfigSetDeps, configSet } from "./config-set.ts";
import { type NotifyUserDeps, notifyUser } from "./notify-user.ts";
import { type StatusDeps, status } from "./status.ts";
import type { Tool } from "./tool.ts";

export type ToolDeps = NotifyUserDeps & ConfigGetDeps & ConfigSetDeps & StatusDeps;

/** Every tool of ours, ready for either host. They do nothing but read arguments, call what they are handed and word the answer. */
export const createTools = (deps: ToolDeps): Tool[] => [
  notifyUser(deps),
  configGet(deps),
  configSet(deps),
  status(deps),
];
