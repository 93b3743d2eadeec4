import * as z from "zod/mini";
import type { Descriptor } from "../../../shared/rendezvous.ts";
import { hangs, isFrame, type ObserveFailure, observeRelay } from "../relays/observe-relay.ts";

/** `StatusReport` as it comes over the wire: another version of us may leave things out or add some. */
const report = z.object({
  version: z.string(),
  line: z.string(),
  pid: z.number(),
  configProblem: z.optional(z.string()),
  mutedUntil: z.optional(z.string()),
  nativeAttention: z.optional(z.object({ path: z.string(), off: z.string() })),
  sessions: z._default(z.number(), 0),
  terminals: z._default(
    z.array(
      z.object({
        name: z.string(),
        focus: z.string(),
        view: z.string(),
        sessionID: z.optional(z.string()),
        idleMs: z.number(),
      }),
    ),
    [],
  ),
});
export type RelayReport = z.output<typeof report>;

/** One running opencode: what its relay answered, or why it did not; see `ObserveFailure`. */
export type Running = { descriptor: Descriptor } & (
  | { report: RelayReport }
  | ({ failure: string } & Omit<ObserveFailure, "detail">)
);

const answerMs = 10_000;

/** Asks twice: a host that is busy may cut the first handshake, for which it allows two seconds. One that hangs, once. */
export async function askStatus(descriptor: Descriptor): Promise<Running> {
  const answer = await askOnce(descriptor);
  return "failure" in answer && !answer.noLibrary && !answer.hangs ? askOnce(descriptor) : answer;
}

async function askOnce(descriptor: Descriptor): Promise<Running> {
  const observer = await observeRelay(descriptor);
  if (!observer.ok) return failed(descriptor, observer.error);
  const answer = observer.value.next(isFrame("status"), answerMs);
  observer.value.send({ type: "status" });
  const status = (await answer)?.status;
  observer.value.close();
  if (status === undefined) return failed(descriptor, hangs);
  const read = report.safeParse(status);
  return read.success
    ? { descriptor, report: read.data }
    : { descriptor, failure: "an answer this version cannot read" };
}

const failed = (descriptor: Descriptor, { detail, ...why }: ObserveFailure): Running => ({
  ...{ descriptor, failure: detail },
  ...why,
});
