// The decider without a host, a disk or a desktop around it: real clock, real translation, counting channels.
import { loadTypeScript } from "../../rig/load-typescript.mjs";
import { fakeInput } from "./host.mjs";

export const loadParts = () => loadTypeScript("scripts/bench/child/engine-parts.ts");

/** A decider whose alerts settle at once, in the wanted modes. `onSend(note)` and `onDecision(decision)` see what comes out. */
export async function createStage({ onSend = () => {}, onDecision = () => {}, modes = {} }) {
  setInterval(() => {}, 60_000); // nothing of the decider keeps a process alive
  const { createDecider, defaultConfig, lines, wordingFor, systemClock } = await loadParts();
  const config = structuredClone(defaultConfig);
  for (const kind of ["pause", "done", "error"])
    config.alerts[kind] = { ...config.alerts[kind], settleMs: 0, mode: modes[kind] ?? "banner" };
  const { client } = fakeInput();
  const line = lines.v1;
  const queries = {
    session: async (id) => line.sessionFacts((await client.session.get({ path: { id } })).data),
    messages: async (id) => line.messageViews((await client.session.messages({ path: { id } })).data),
  };
  const banner = {
    name: "banner",
    send: async (note) => {
      onSend(note);
      return { ok: true, outlet: "bench", certainty: "accepted" };
    },
    withdraw: async () => {},
    close: async () => {},
  };
  const decider = createDecider({
    clock: systemClock,
    log: (message) => console.error(message),
    config: () => config,
    wording: () => wordingFor("en"),
    presence: () => new Map(),
    mutedUntil: () => undefined,
    channels: { banner },
    host: queries,
    directory: "/project",
    record: onDecision,
  });
  const receive = (event) => {
    const translated = line.translate(event);
    if (translated) decider.dispatch({ kind: "host", event: translated });
  };
  return { decider, receive, queries, banner };
}
