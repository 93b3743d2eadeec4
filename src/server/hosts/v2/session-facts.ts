import type { SessionFacts } from "../../core/input.ts";
import { fields, identity, text } from "../read.ts";

/** A session record of 2.x (opencode 2.0.26). A fork has no parent. */
export function sessionFacts(session: unknown): SessionFacts {
  const { title, parentID, location, directory } = fields(session);
  const folder = text(fields(location).directory) ?? text(directory);
  return {
    title: text(title) ?? "",
    parentID: identity(parentID) ?? null,
    ...(folder === undefined ? {} : { directory: folder }),
  };
}
