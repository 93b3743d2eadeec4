import * as z from "zod/mini";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { cleanTitle } from "../../../shared/text.ts";
import { configPath, relayDirs } from "../../config/location.ts";
import type { AlertKind } from "../../core/decision.ts";
import type { Delivery } from "../../delivery/channel.ts";
import type { Context } from "../context.ts";
import { findRelays, isLive, type LiveRelay } from "../relays/find-relays.ts";
import { isFrame, observeRelay } from "../relays/observe-relay.ts";

/** What an opencode that runs here made of it. */
export type PushedByHost = { pid: number; deliveries: Delivery[] };

const words = z.pipe(
  z.string(),
  z.transform((text: string) => cleanTitle(text, 200)),
);
const delivery = z.union([
  z.object({ ok: z.literal(true), outlet: words, certainty: z.enum(["accepted", "written", "started"]) }),
  z.object({
    ok: z.literal(false),
    outlet: words,
    reason: z.enum(["unavailable", "refused", "timeout", "lost", "dropped"]),
    detail: z.optional(words),
  }),
]);
const deliveries = z.array(delivery).check(z.maxLength(20));

const statusMs = 10_000;
/** Two tries of ten seconds, and the wait between them. */
const pushMs = 30_000;

/**
 * Lets an opencode that runs here send a test to every push target: by the very client, environment and network its alerts
 * go by. Undefined when none runs that goes by the same configuration; an error when those that do gave no answer.
 */
export async function pushThroughHost(
  kind: AlertKind,
  { place }: Context,
): Promise<Result<PushedByHost, string> | undefined> {
  let silent: number | undefined;
  for (const relay of (await findRelays(relayDirs(place))).filter(isLive)) {
    const answer = await askOne(relay, kind, configPath(place));
    if (answer === "another configuration") continue;
    const { pid } = relay.descriptor;
    if (answer !== undefined) return ok({ pid, deliveries: answer });
    silent = pid;
  }
  return silent === undefined ? undefined : fail(`opencode (pid ${silent}) gave no answer`);
}

async function askOne({ descriptor }: LiveRelay, kind: AlertKind, path: string) {
  const observer = await observeRelay(descriptor);
  if (!observer.ok) return undefined;
  const { next, send, close } = observer.value;
  try {
    const status = next(isFrame("status"), statusMs);
    send({ type: "status" });
    const told = z.object({ configPath: z.string() }).safeParse((await status)?.status);
    if (!told.success) return undefined;
    if (told.data.configPath !== path) return "another configuration";
    const answer = next(isFrame("answer"), pushMs);
    send({ type: "test", push: kind });
    return readDeliveries(await answer);
  } finally {
    close();
  }
}

/** Undefined for what this version cannot read, and for a host that is older and hung up. */
function readDeliveries(answer: { ok: boolean; text: string } | undefined): Delivery[] | undefined {
  if (answer?.ok !== true) return undefined;
  try {
    const read = deliveries.safeParse(JSON.parse(answer.text));
    if (!read.success) return undefined;
    return read.data.map((each): Delivery => {
      if (each.ok) return each;
      const { detail, ...rest } = each;
      return detail === undefined ? rest : { ...rest, detail };
    });
  } catch {
    return undefined; // words for people: a server part that knows no test of push alone
  }
}
