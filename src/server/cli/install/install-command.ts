import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { stateDir } from "../../config/location.ts";
import { globalFolder, type Role } from "../../host-files/host-files.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { findHost, type Host } from "../host-version.ts";
import { createPaint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { type Change, writeChanges } from "./apply-changes.ts";
import { showDiff } from "./diff.ts";
import { editFailureText } from "./edit-failure.ts";
import { chooseFile, hostFolders, type Scope } from "./host-files.ts";
import { namesIn } from "./package-name.ts";
import { type Line, planFile } from "./plan.ts";
import { packageName } from "./plugin-entry.ts";

export type InstallOptions = { line: Line | "auto"; scope: Scope; dryRun: boolean; nativeAttentionOff: boolean };

/** Lists the plugin where opencode looks for it, and shows what that changes. */
export async function installCommand(options: InstallOptions, context: Context): Promise<number> {
  const { out, place, runProgram } = context;
  const host = await findHost(place, runProgram);
  const line = options.line === "auto" ? (host?.line ?? "2") : options.line;
  out.write(`${hostLine(host, line, options.line)}\n`);
  const changes = await planChanges(options, line, context);
  if (!changes.ok) {
    out.complain(`beckon: ${changes.error}; nothing was changed\n`);
    return exitCode.usage;
  }
  if (changes.value.length === 0) {
    out.write(`Nothing to do: beckon is installed for opencode ${line}.x already.\n`);
    return exitCode.done;
  }
  for (const change of changes.value) showChange(change, context);
  if (options.dryRun) {
    out.write("\nDry run: nothing was written.\n");
    return exitCode.done;
  }
  const written = await writeChanges(changes.value, stateDir(place));
  if (!written.ok) {
    out.complain(`beckon: ${written.error}\n`);
    return exitCode.finding;
  }
  const backups = written.value.map((path) => shortPath(path, place.home));
  if (backups.length > 0) out.write(`\nBackup: ${backups.join(", ")}\n`);
  out.write(`\nDone. Restart opencode, then see whether all is well: beckon doctor\n`);
  return exitCode.done;
}

function hostLine(host: Host | undefined, line: Line, asked: InstallOptions["line"]): string {
  const found = host === undefined ? "No opencode found on PATH" : `Found opencode ${host.version} (${host.path})`;
  const why = asked === "auto" ? "" : ` (--line ${asked})`;
  const hint = asked === "auto" && host?.line === undefined ? " For 1.x: beckon install --line 1" : "";
  return `${found}; installing for opencode ${line}.x${why}.${hint}`;
}

async function planChanges(options: InstallOptions, line: Line, context: Context): Promise<Result<Change[], string>> {
  const { place, cwd } = context;
  const spec = pluginSpec(context);
  const changes: Change[] = [];
  const roles: Role[] = line === "1" ? ["server", "terminal"] : ["server", "client"];
  for (const role of roles) {
    const folders = role === "client" ? [globalFolder(place)] : await hostFolders(options.scope, place, cwd);
    const file = await chooseFile(role, folders);
    if (!file.ok) return fail(file.error.message);
    const { path, text } = file.value;
    const { nativeAttentionOff } = options;
    const planned = planFile(role, text, {
      line,
      spec,
      nativeAttentionOff,
      nameAt: await namesIn(dirname(path), text),
    });
    if (!planned.ok) return fail(editFailureText(path, planned.error));
    if (planned.value !== (text ?? "")) changes.push({ path, before: text, after: planned.value });
  }
  return ok(changes);
}

function showChange({ path, before, after }: Change, { out, place }: Context): void {
  const paint = createPaint(out.colour);
  out.write(`\n${paint.bold(shortPath(path, place.home))}${before === undefined ? " (new)" : ""}\n`);
  out.write(showDiff(before ?? "", after, paint));
}

/**
 * What opencode is to load: this very copy, so that command and plugin are always the same version. A copy in npx's
 * cache may be gone tomorrow: there it is the package's name and version.
 */
function pluginSpec({ packageRoot, version, place }: Pick<Context, "packageRoot" | "version" | "place">): string {
  if (packageRoot.includes(join("/", "_npx", "/"))) return `${packageName}@${version}`;
  return place.platform === "win32" ? pathToFileURL(packageRoot).href : packageRoot;
}
