import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { openClient, terminalHello } from "../relay/client.ts";
import { findRelay } from "../relay/find-relay.ts";

/** A terminal attached to the host that says yes to whatever it is to raise, and never told where anybody looks. */
export async function attachTerminal(home: IsolatedHome) {
  const { url, token } = await waitFor("an announced relay", () => findRelay(home));
  const client = openClient(url);
  const report = { focus: "unknown", view: { type: "home" }, idleMs: 0 };
  const abilities = { notify: ["osc777"], ssh: false };
  client.send(terminalHello(token, { id: `stand-in-${token.slice(0, 8)}`, report, abilities }));
  await client.take("welcome");
  return {
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
