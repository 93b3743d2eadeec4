import { setTimeout as pause } from "node:timers/promises";
import { printableJSON } from "../../../shared/text.ts";
import { configPath, mutePath, relayDirs, stateDir } from "../../config/location.ts";
import { muteFileSource } from "../../config/mute-file.ts";
import { readJournal } from "../../journal/read-journal.ts";
import { configInForce } from "../config-in-force.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { findRelays, isLive } from "../relays/find-relays.ts";
import { askStatus } from "./relay-status.ts";
import { type Snapshot, statusText } from "./status-text.ts";

export type StatusOptions = { watch: boolean; json: boolean };

const shownDecisions = 5;
const watchMs = 1_000;
const clearScreen = "\u001b[H\u001b[2J";

/** Shows every running opencode with beckon in it. Without one that is a finding. */
export async function statusCommand({ watch, json }: StatusOptions, context: Context): Promise<number> {
  const { out } = context;
  const paint = createPaint(out.colour);
  const words = (snapshot: Snapshot) =>
    json ? `${printableJSON(withoutTokens(snapshot))}\n` : statusText(snapshot, paint);
  const clear = watch && !json && out.columns !== undefined ? clearScreen : "";
  const stop = watch ? context.signal : undefined;
  let shown = "";
  for (;;) {
    const snapshot = await unlessStopped(look(context), stop); // a host that hangs takes its time
    if (snapshot === undefined) return exitCode.done;
    const text = words(snapshot);
    if (text !== shown) {
      out.control(clear);
      out.write(text);
    }
    shown = text;
    if (stop === undefined) return snapshot.running.length > 0 ? exitCode.done : exitCode.finding;
    await unlessStopped(pause(watchMs), stop);
  }
}

/** What the work comes to; undefined as soon as nobody waits for it any more. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function look({ place, wall }: Context): Promise<Snapshot> {
  const relays = (await findRelays(relayDirs(place))).filter(isLive);
  const muted = await muteFileSource(mutePath(place))();
  return {
    running: await Promise.all(relays.map(({ descriptor }) => askStatus(descriptor))),
    mutedUntil: muted.kind === "until" && muted.until > wall() ? muted.until : undefined,
    decisions: await readJournal({ stateDir: stateDir(place), last: shownDecisions }),
    idleSeconds: (await configInForce(configPath(place))).value.alerts.focus.idleSeconds,
    home: place.home,
  };
}

/** A token opens the relay: it is shown to nobody. */
const withoutTokens = ({ running, home: _, ...snapshot }: Snapshot) => ({
  running: running.map(({ descriptor: { token: __, ...descriptor }, ...answer }) => ({ ...descriptor, ...answer })),
  ...snapshot,
});
