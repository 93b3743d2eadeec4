import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The absolute path of a program, or undefined. Only absolute folders of PATH count: an empty or relative entry
 * means the current folder, and that one belongs to the project somebody just cloned. Without PATH nothing is found
 * (a C library would look in /bin and /usr/bin by itself).
 */
export function findProgram(program: string, env: Environment): string | undefined {
  if (isAbsolute(program)) return isRunnable(program) ? program : undefined;
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, program)).find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
