import { cleanTitle } from "../../shared/text.ts";
import type { Records } from "../session/records.ts";

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
/** Given by the host until its title model answers (contracts/opencode-v1.md section 5). */
const defaultTitle = /^(?:new|child) session(?:\s*[-–—]\s*\d{4}-\d\d-\d\d.*)?$/i;

const folderName = (directory: string | undefined): string =>
  cleanTitle(directory?.split(/[/\\]/).findLast((part) => part !== "") ?? "") || productName;

export function subjectOf(records: Records, sessionID: string, fallbackDirectory?: string): Subject {
  const rootID = records.rootOf(sessionID);
  const root = records.get(rootID);
  const project = folderName(root?.directory ?? records.get(sessionID)?.directory ?? fallbackDirectory);
  const title = cleanTitle(root?.title ?? "");
  const name = root?.title ?? "";
  return { sessionID, rootID, project, name, title: title === "" || defaultTitle.test(title) ? project : title };
}
