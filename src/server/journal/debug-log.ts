import { type Log, logLine, silentLog } from "../../shared/log.ts";
import { createLineFile } from "../files/append-lines.ts";
import { logPath } from "./journal-path.ts";

export type DebugLog = {
  /** What went wrong: always written. */
  problem: Log;
  /** What happened. Absent without `BECKON_DEBUG=1`, so that nobody words what nobody writes. */
  detail?: Log;
  flush(): Promise<void>;
};

const rotateBytes = 256 * 1_024;

/**
 * The only way into `beckon.log`. In the state folder, rotated at 256 KiB to `.1`. Its own failures go nowhere: there is nobody to tell.
 */
export function createDebugLog(options: {
  stateDir: string;
  details: boolean;
  pid: number;
  wall: () => number;
}): DebugLog {
  const file = createLineFile({ path: logPath(options.stateDir), rotateBytes, onFailure: silentLog });
  const write = (level: string) => (text: string) =>
    file.append(logLine({ wall: options.wall(), pid: options.pid, level, text }));
  return {
    problem: write("problem"),
    ...(options.details ? { detail: write("detail") } : {}),
    flush: () => file.flush(),
  };
}
