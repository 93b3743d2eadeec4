import { cleanTitle } from "../../shared/text.ts";
import type { Step } from "./environment.ts";
import { rootOf } from "./family.ts";

/** Whose alert it is, as a person would say it. */
export type Subject = {
  sessionID: string;
  rootID: string;
  /** The root's title, else the project's folder, else the product. */
  title: string;
  /** The root's whole title as the host gives it, which a person's globs are about. */
  name: string;
  /** The project's folder: all that leaves the machine by default. */
  project: string;
};

export const productName = "opencode";
/** Given by the host until its title model answers (opencode 1.18.33). */
const defaultTitle = /^(?:new|child) session(?:\s*[-–—]\s*\d{4}-\d\d-\d\d.*)?$/i;

const folderName = (directory: string | undefined): string =>
  cleanTitle(directory?.split(/[/\\]/).findLast((part) => part !== "") ?? "") || productName;

export function subjectOf(
  { state, env }: Pick<Step, "state"> & { env: { directory?: string | undefined } },
  sessionID: string,
): Subject {
  const rootID = rootOf(state, sessionID);
  const root = state.sessions.get(rootID);
  const project = folderName(root?.directory ?? state.sessions.get(sessionID)?.directory ?? env.directory);
  const title = cleanTitle(root?.title ?? "");
  const name = root?.title ?? "";
  return { sessionID, rootID, project, name, title: title === "" || defaultTitle.test(title) ? project : title };
}
