/** One line for the maintainer's log file. Never stdout or stderr: the host's terminal is not ours. */
export type Log = (line: string) => void;
export const silentLog: Log = () => {};
