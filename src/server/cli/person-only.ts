import { keyText } from "../config/finding.ts";
import { closedIn } from "../config/open-settings.ts";
import type { ConfigPatch } from "../config/patch.ts";
import type { Context } from "./context.ts";

/** Set by agents in the shells they run: opencode, others by their common name, Claude Code. */
const agents = ["OPENCODE", "AGENT", "CLAUDECODE"] as const;

/**
 * Why this command line may not make that change; undefined when it may. A setting that can grant something is set by a
 * person who sits at a terminal: not by a pipe, and not from inside an agent, whose model may have been told to.
 */
export function refusalForScripts(patch: ConfigPatch, { place, atTerminal }: Context): string | undefined {
  const closed = closedIn(patch);
  const agent = agents.find((name) => place.env[name] !== undefined);
  if (closed.length === 0 || (atTerminal && agent === undefined)) return undefined;
  const why =
    agent === undefined ? "its input or output is no terminal" : `this runs inside an agent (${agent} is set)`;
  return `${closed.map(keyText).join(", ")}: only set by a person at a terminal, for it can grant something, send something away or run something; ${why}. Nothing was changed`;
}
