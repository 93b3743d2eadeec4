import type { RealHost } from "../../rig/host/real-host.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import type { JournalLine } from "../../scenarios/host-under-test.ts";

let serial = 0;

/** Lets a session do real work, and waits for what is decided about its end. */
export async function work(host: RealHost, session: string): Promise<JournalLine> {
  const isDone = (line: JournalLine) =>
    line.sessionID === session && line.alert === "done" && line.outcome !== "withdrawn";
  const before = (await host.decisions()).filter(isDone).length;
  serial += 1;
  await host.prompt(session, `[write notes-${serial}.txt]`);
  await host.ended(session);
  return waitFor(`a decision about the end of ${session}`, async () => (await host.decisions()).filter(isDone)[before]);
}
