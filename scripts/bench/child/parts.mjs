// The engine without a host, a disk or a desktop around it: real clock, real translation, counting channels.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fakeInput } from "./host.mjs";

const source = `
  export { createEngine } from "./src/server/engine.ts";
  export { defaultConfig } from "./src/server/config/schema.ts";
  export { createChannel } from "./src/server/delivery/create-channel.ts";
  export { createDbusBanner } from "./src/server/delivery/dbus-banner.ts";
  export { openBus } from "./src/server/delivery/open-bus.ts";
  export { lines } from "./src/server/hosts/lines.ts";
  export { wordingFor } from "./src/server/locales/locale.ts";
  export { systemClock } from "./src/shared/clock.ts";
`;

/** Our own sources, bundled as the build does it. */
export async function loadParts() {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["ws", "dbus-native"],
  });
  const file = join(root, "node_modules/.cache/beckon-bench", `parts-${process.pid}.mjs`); // from here `ws` and `dbus-native` resolve
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}

/** An engine whose alerts settle at once. `onSend(note)` and `onDecision(decision)` see what comes out. */
export async function createStage({ onSend = () => {}, onDecision = () => {} }) {
  setInterval(() => {}, 60_000); // nothing of the engine keeps a process alive
  const { createEngine, defaultConfig, lines, wordingFor, systemClock } = await loadParts();
  const config = structuredClone(defaultConfig);
  for (const kind of ["pause", "done", "error"]) config.alerts[kind].settleMs = 0;
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
  const engine = createEngine({
    clock: systemClock,
    log: (message) => console.error(message),
    startedAt: 0,
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
    if (translated) engine.receive(translated);
  };
  return { engine, receive, queries, banner };
}
