import type { Result } from "../../shared/result.ts";
import { type Environment, findProgram } from "./find-program.ts";
import type { ProgramFailure, RunProgram } from "./run-program.ts";

export type PowerShellParts = { run: RunProgram; env: Environment; platform: "win32" | "wsl" };

const place = "System32/WindowsPowerShell/v1.0/powershell.exe";

/**
 * Windows PowerShell 5.1, which every Windows has; not `pwsh` 7, which cannot reach the notification classes. By its
 * whole path on Windows. From WSL as PATH has it, else where drive C is usually mounted.
 */
export function findPowerShell(platform: "win32" | "wsl", env: Environment): string {
  if (platform === "win32")
    return `${env.SystemRoot ?? env.SYSTEMROOT ?? "C:\\Windows"}\\${place.replaceAll("/", "\\")}`;
  return findProgram("powershell.exe", env) ?? `/mnt/c/Windows/${place}`;
}

/**
 * `data` reaches the script as `$d`. The script is a constant; all that is put into it is base64, whose alphabet
 * cannot leave the quotes. The whole is encoded once more, so that no command line quotes anything.
 */
export function powerShellArguments(script: string, data: Readonly<Record<string, string | null>>): string[] {
  const json = Buffer.from(JSON.stringify(data), "utf8").toString("base64");
  const read = `$d=[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${json}'))|ConvertFrom-Json`;
  const whole = ["$ErrorActionPreference='Stop'", read, script].join("\n");
  return [
    ...["-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-ExecutionPolicy", "Bypass"],
    ...["-EncodedCommand", Buffer.from(whole, "utf16le").toString("base64")],
  ];
}

/** Exit statuses of a shell that was handed a Windows program because WSL's interop is switched off. */
const notOurs = /^exit (?:2|126|127)\b/;

/** Runs one script to its end. */
export async function runPowerShell(
  { run, env, platform }: PowerShellParts,
  args: readonly string[],
  { deadlineMs, signal }: { deadlineMs: number; signal?: AbortSignal },
): Promise<Result<string, ProgramFailure>> {
  const ran = await run({
    program: findPowerShell(platform, env),
    args,
    env,
    deadlineMs,
    ...(signal ? { signal } : {}),
  });
  if (ran.ok || platform !== "wsl" || ran.error.kind !== "failed" || !notOurs.test(ran.error.detail)) return ran;
  return { ok: false, error: { kind: "missing", detail: "WSL's interop with Windows is switched off" } };
}
