import * as z from "zod/mini";
import type { TerminalStatus } from "../../../src/server/runtime/status.ts";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { openClient } from "../relay/client.ts";
import { findRelay } from "../relay/find-relay.ts";

const status = z.object({
  terminals: z.array(
    z.object({
      name: z.string(),
      focus: z.string(),
      view: z.string(),
      sessionID: z.optional(z.string()),
      idleMs: z.number(),
    }),
  ),
});

/** Asks a host's relay what it knows, as `beckon status` does. */
export type Observer = {
  terminals(): Promise<TerminalStatus[]>;
  /** Waits until the relay knows this of the terminal with that pid. */
  knows(pid: number, known: Partial<Pick<TerminalStatus, "focus" | "view" | "sessionID">>): Promise<void>;
  /** Waits until the relay knows of no terminal with that pid. */
  forgets(pid: number): Promise<void>;
  close(): void;
};

const isOf = (pid: number) => (terminal: TerminalStatus) => new RegExp(`\\b${pid}\\b`).test(terminal.name);

export async function observe(home: IsolatedHome): Promise<Observer> {
  const { url, token } = await waitFor("an announced relay", () => findRelay(home));
  const client = openClient(url);
  client.send({ type: "hello", role: "observer", protocols: [1], token });
  await client.take("welcome");

  async function terminals(): Promise<TerminalStatus[]> {
    client.send({ type: "status" });
    const answer = await client.take("status");
    return status.parse(answer.status).terminals.map(({ sessionID, ...terminal }) => ({
      ...terminal,
      ...(sessionID === undefined ? {} : { sessionID }),
    }));
  }

  /** What was seen last, for the words of a failure. */
  async function until(what: string, holds: (terminals: TerminalStatus[]) => boolean) {
    let last: TerminalStatus[] = [];
    await waitFor(
      () => `${what}; the relay knows ${JSON.stringify(last)}`,
      async () => {
        last = await terminals();
        return holds(last) ? true : undefined;
      },
    );
  }

  return {
    terminals,
    knows: (pid, known) =>
      until(`terminal ${pid} with ${JSON.stringify(known)}`, (all) => {
        const terminal = all.find(isOf(pid));
        if (terminal === undefined) return false;
        const { focus = terminal.focus, view = terminal.view, sessionID = terminal.sessionID } = known;
        return terminal.focus === focus && terminal.view === view && terminal.sessionID === sessionID;
      }),
    forgets: (pid) => until(`the end of terminal ${pid}`, (all) => !all.some(isOf(pid))),
    close: () => client.socket.terminate(),
  };
}
