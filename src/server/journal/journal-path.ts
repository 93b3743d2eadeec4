import { join } from "node:path";

export const journalPath = (stateDir: string): string => join(stateDir, "journal.jsonl");
export const logPath = (stateDir: string): string => join(stateDir, "beckon.log");
