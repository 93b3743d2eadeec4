import type { SessionFacts } from "../../core/input.ts";
import { fields, identity, text } from "../read.ts";

/** A session record of 1.18 (opencode 1.18.33). */
export function sessionFacts(session: unknown): SessionFacts {
  const { title, parentID, directory } = fields(session);
  const folder = text(directory);
  return {
    title: text(title) ?? "",
    parentID: identity(parentID) ?? null,
    ...(folder === undefined ? {} : { directory: folder }),
  };
}
