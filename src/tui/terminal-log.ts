import { type Log, logLine, silentLog } from "../shared/log.ts";
import { terminalLogName } from "../shared/rendezvous.ts";

const rotateBytes = 256 * 1_024;

export type TerminalLogOptions = { stateDir: string; pid: number; wall(): number };

/**
 * What went wrong in the terminal part: `terminal.log` beside the server's log, written the same way. Nothing is loaded or
 * made before something is to be told, and its own failures go nowhere: the screen is the host's.
 */
export function createTerminalLog({ stateDir, pid, wall }: TerminalLogOptions): Log {
  let opening: Promise<{ append(line: string): void }> | undefined;

  async function open() {
    const { createLineFile } = await import("../server/files/append-lines.ts");
    return createLineFile({ path: `${stateDir}/${terminalLogName}`, rotateBytes, onFailure: silentLog });
  }

  async function write(line: string): Promise<void> {
    opening ??= open();
    (await opening).append(line);
  }

  return (text) => {
    write(logLine({ wall: wall(), pid, level: "problem", text })).catch(() => {}); // a package that is half gone
  };
}
