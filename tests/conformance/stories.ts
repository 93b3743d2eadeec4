import type { Location } from "./event.ts";
import type { ServerProcess } from "./server-process.ts";
import type { NewSession } from "./session.ts";
import { type Story, tellSession } from "./story.ts";

export type Stories = {
  /** A root session, told by `session.created`. */
  session(name: string, from?: Partial<NewSession>): Story;
  /** §4.6: a child that an open `subagent` call of the parent links to. */
  child(parent: Story, name: string, options?: { linkedBy?: string; announced?: boolean }): Story;
  /** §4.5: a fork: no `session.created`, and no parent. */
  fork(from: Story, name: string): Story;
};

/** Sessions of one location, written by hand. */
export async function tellStories(server: ServerProcess, location: Location): Promise<Stories> {
  const { hooks } = await server.use(location);
  let serial = 0;
  const nameID = (name: string) => `ses_${name}_${++serial}_${server.id("ses").slice(-6)}`;
  const open = (name: string, from: Partial<NewSession>) =>
    server.newSession({ id: nameID(name), location, title: `Story ${name}`, ...from });

  return {
    session(name, from = {}) {
      const session = open(name, from);
      server.log.created(session);
      return tellSession(server, hooks, session);
    },
    child(parent, name, { linkedBy, announced = true } = {}) {
      const session = open(name, { parentID: parent.id, agent: "general", title: "Look around" });
      if (announced) server.log.created(session);
      const link = { sessionID: session.id, status: "running" };
      if (linkedBy !== undefined) parent.progresses(linkedBy, link);
      return tellSession(server, hooks, session);
    },
    fork(from, name) {
      const session = open(name, {});
      session.info.fork = { sessionID: from.id };
      server.log.forked(session, from.id, 0);
      return tellSession(server, hooks, session);
    },
  };
}
