import { delimiter, join } from "node:path";
import type { Place } from "../config/location.ts";
import { findProgram } from "../delivery/find-program.ts";
import type { RunProgram } from "../delivery/run-program.ts";

/** The opencode a person starts. `line` is undefined for versions that say nothing about it, such as 0.0.0-dev. */
export type Host = { path: string; version: string; line: "1" | "2" | undefined };

/** A fresh binary takes seconds for its first start. */
const deadlineMs = 20_000;

/** Looks on PATH and where opencode's own installer puts it. */
export async function findHost({ env, home }: Place, runProgram: RunProgram): Promise<Host | undefined> {
  const path = findProgram("opencode", withoutNpx(env)) ?? findProgram(join(home, ".opencode", "bin", "opencode"), env);
  if (path === undefined) return undefined;
  const answer = await runProgram({ program: path, args: ["--version"], env, deadlineMs });
  const version = answer.ok ? (/\d+\.\d+\.\d+[^\s]*/.exec(answer.value)?.[0] ?? "unknown") : "unknown";
  return { path, version, line: lineOf(version) };
}

/** npx and npm put a project's own programs in front: those are not what a person starts. */
function withoutNpx({ PATH, Path, ...env }: Place["env"]): Place["env"] {
  const folders = (PATH ?? Path ?? "").split(delimiter);
  return {
    ...env,
    PATH: folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder)).join(delimiter),
  };
}

function lineOf(version: string): Host["line"] {
  const major = /^(\d+)\./.exec(version)?.[1];
  return major === "1" || major === "2" ? major : undefined;
}
