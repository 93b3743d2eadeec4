import { cleanTitle } from "./text.ts";

/** One line for the maintainer's log file. Never stdout or stderr: the host's terminal is not ours. */
export type Log = (line: string) => void;
export const silentLog: Log = () => {};

const longestText = 2_000;

/** A line of a log file is one line, and foreign text in it cannot act on the terminal of whoever reads it. `wall`: epoch ms. */
export const logLine = ({
  wall,
  pid,
  level,
  text,
}: {
  wall: number;
  pid: number;
  level: string;
  text: string;
}): string => `${new Date(wall).toISOString()} ${pid} ${level} ${cleanTitle(text, longestText)}`;
