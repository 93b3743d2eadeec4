import * as z from "zod/mini";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { openClient } from "../relay/client.ts";
import { findRelay } from "../relay/find-relay.ts";

const decision = z.object({
  sessionID: z.string(),
  outcome: z.string(),
  reason: z.string(),
  channels: z.array(z.string()),
});
const status = z.object({ decisions: z.array(decision) });

/** What a host's server part decided last, as `beckon status` asks it. */
export async function lastDecisions(home: IsolatedHome): Promise<z.output<typeof decision>[]> {
  const { url, token } = await waitFor("an announced relay", () => findRelay(home));
  const client = openClient(url);
  client.send({ type: "hello", role: "observer", protocols: [1], token });
  await client.take("welcome");
  client.send({ type: "status" });
  const answer = await client.take("status");
  client.socket.terminate();
  return status.parse(answer.status).decisions;
}
