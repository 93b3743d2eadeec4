/**
 * A session's id as both lines of opencode make them. Whoever else may have sent it: it names no member that every object
 * has, by which a host's store would give something that is no session, and no path.
 */
export const sessionIDPattern = /^ses_[A-Za-z0-9_-]{1,124}$/;

export const isSessionID = (id: unknown): id is string => typeof id === "string" && sessionIDPattern.test(id);
