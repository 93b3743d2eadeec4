import type { FocusReport } from "../../../src/shared/focus.ts";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { openClient, terminalHello } from "./client.ts";
import { findRelay } from "./find-relay.ts";

const unknown: FocusReport = { focus: "unknown", view: { type: "home" }, idleMs: 0 };

/** A terminal attached to a host that reports what the test says, and says yes to whatever it is to raise. */
export async function attachTerminal(home: IsolatedHome, first = unknown) {
  const { url, token } = await waitFor("an announced relay", () => findRelay(home));
  const client = openClient(url);
  const abilities = { notify: ["osc777"], ssh: false };
  let seq = 1;
  client.send(terminalHello(token, { id: `stand-in-${token.slice(0, 8)}`, seq, report: first, abilities }));
  await client.take("welcome");
  return {
    reports(report: FocusReport): void {
      seq += 1;
      client.send({ type: "report", seq, report });
    },
    /** What it was asked to raise next. */
    async raises(): Promise<unknown> {
      const { request, alert } = await client.take("raise");
      client.send({ type: "raised", request, ok: true });
      return alert;
    },
    async leaves(): Promise<void> {
      client.send({ type: "bye" });
      await client.closed;
    },
  };
}
