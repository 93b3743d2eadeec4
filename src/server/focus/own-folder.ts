import { chmod, lstat } from "node:fs/promises";
import { makeFolder } from "../files/make-folder.ts";

/** Makes the folder ours alone. Throws when it is somebody else's, not a folder (a link is none), or cannot be made. */
export async function makeOurs(folder: string): Promise<void> {
  await makeFolder(folder);
  const facts = await lstat(folder);
  if (!facts.isDirectory()) throw new Error("is not a folder");
  const me = process.getuid?.();
  if (me === undefined) return; // Windows: the profile's own rules
  if (facts.uid !== me) throw new Error("belongs to another user");
  if ((facts.mode & 0o077) !== 0) await chmod(folder, 0o700);
}
