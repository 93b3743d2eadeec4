import type { AddCommands } from "./command-line.ts";

export const addReports: AddCommands = (program) => {
  program.commandsGroup("Bug reports:");
};
