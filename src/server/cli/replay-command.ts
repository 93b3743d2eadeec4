import { cleanTitle, printableJSON } from "../../shared/text.ts";
import type { Decision } from "../core/decision.ts";
import { readFileText } from "../files/read-file.ts";
import { replay } from "../replay/replay.ts";
import { exitCode } from "./exit-code.ts";
import type { Out } from "./out.ts";

const longestCell = 400;
/** Days of a busy opencode. */
const maxTraceBytes = 64 * 1_024 * 1_024;

/** Prints the decisions of each trace. A malformed file prints nothing but one complaint; the others still run. */
export async function replayCommand(files: readonly string[], { json }: { json: boolean }, out: Out): Promise<number> {
  let code: number = exitCode.done;
  for (const file of files) {
    const decisions = await replayFile(file);
    if (typeof decisions === "string") {
      out.complain(`${decisions}\n`);
      code = exitCode.usage;
      continue;
    }
    const named = files.length > 1 ? { file } : {};
    if (json) for (const decision of decisions) out.write(`${printableJSON({ ...traceLine(decision), ...named })}\n`);
    else out.write(table(decisions, files.length > 1 ? file : undefined));
  }
  return code;
}

/** What is decided, or what is wrong with that file. */
async function replayFile(file: string): Promise<Decision[] | string> {
  const source = await readFileText(file, { maxBytes: maxTraceBytes });
  if (!source.ok) return source.error.message;
  const result = await replay(source.value);
  return result.ok ? result.value : `${file}:${result.error.line}: ${result.error.what}`;
}

/** The output line of docs/trace.md. */
function traceLine({ at, alert, sessionID, requestID, outcome, reason, channels, title, message }: Decision) {
  return { t: Math.round(at), alert, sessionID, requestID, outcome, reason, channels, title, message };
}

function table(decisions: readonly Decision[], heading: string | undefined): string {
  const rows = decisions.map((decision) =>
    [
      `${(decision.at / 1_000).toFixed(3)} s`,
      decision.alert,
      decision.outcome,
      decision.reason,
      decision.sessionID,
      decision.channels.join("+"),
      decision.title === undefined ? "" : `${decision.title}: ${decision.message ?? ""}`,
    ].map((cell) => cleanTitle(cell, longestCell)),
  );
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return [...(heading === undefined ? [] : [heading]), ...(lines.length === 0 ? ["no decisions"] : lines), ""].join(
    "\n",
  );
}
