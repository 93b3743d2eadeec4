import * as z from "zod/mini";
import type { Descriptor } from "../../../shared/rendezvous.ts";
import { cleanTitle } from "../../../shared/text.ts";
import { hangs, isFrame, type ObserveFailure, observeRelay } from "../relays/observe-relay.ts";

/** One line of at most so many graphemes: a relay may be anybody's, and what it says is printed. */
const words = (most: number) => z.string().check(z.overwrite((text) => cleanTitle(text, most)));
const mostTerminals = 100;

/** `StatusReport` as it comes over the wire: another version of us may leave things out or add some. */
const report = z.object({
  version: words(40),
  line: words(40),
  pid: z.number(),
  configProblem: z.optional(words(2_000)),
  mutedUntil: z.optional(words(40)),
  nativeAttention: z.optional(z.object({ path: words(400), off: words(400) })),
  sessions: z._default(z.number(), 0),
  terminals: z._default(
    z
      .array(
        z.object({
          name: words(100),
          focus: words(40),
          view: words(40),
          sessionID: z.optional(words(128)),
          idleMs: z.number(),
        }),
      )
      .check(z.overwrite((all) => all.slice(0, mostTerminals))),
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
