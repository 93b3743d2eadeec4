// A process with one relay in it, run under each runtime. Says what happens as JSON lines, obeys JSON lines on stdin.
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { startRelay } from "../../../src/server/focus/relay.ts";
import { systemClock } from "../../../src/shared/clock.ts";

const order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("raise"), terminal: z.string() }),
  z.object({ do: z.literal("navigate"), terminal: z.string(), sessionID: z.string() }),
  z.object({ do: z.literal("decide"), decision: z.unknown() }),
  z.object({ do: z.literal("mark"), text: z.string() }),
  z.object({ do: z.literal("memory") }),
  z.object({ do: z.literal("close") }),
]);

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const folders = JSON.parse(process.argv[2] ?? "[]") as string[];
const maxTerminals = Number(process.argv[3] ?? 64);
const onlyTCP = process.argv[4] === "tcp";

process.on("uncaughtException", (error) => say({ crashed: String(error?.stack ?? error) }));
process.on("unhandledRejection", (error) => say({ crashed: `rejection: ${String(error)}` }));

const store = createPresenceStore({
  clock: systemClock,
  maxTerminals: () => maxTerminals,
  onPresence: (presence) =>
    say({ presence: [...presence.values()].map(({ id, seq, report }) => ({ id, seq, report })) }),
});
const started = await startRelay({
  clock: systemClock,
  log: (line) => say({ log: line }),
  folders,
  onlyTCP,
  line: "v1",
  directories: () => ["/project"],
  maxTerminals: () => maxTerminals,
  store,
  observer: () => ({
    status: () => ({ lines: ["all well"] }),
    record(onLine) {
      onLine('{"t":0,"kind":"meta"}');
      return () => say({ stoppedRecording: true });
    },
    mute: (ms) => Promise.resolve(`muted for ${ms} ms`),
    test: () => Promise.reject(new Error("no channel")),
  }),
});
say(started.ok ? { up: { id: started.value.id, url: started.value.url() } } : { failed: started.error });

createInterface({ input: process.stdin }).on("line", async (text) => {
  const read = order.parse(JSON.parse(text));
  if (!started.ok) return;
  const relay = started.value;
  if (read.do === "raise") {
    const alert = { key: "k", title: "Title", body: "Body", urgency: "normal" as const };
    say({ raised: await relay.raise(read.terminal, alert) });
  } else if (read.do === "navigate") relay.send(read.terminal, { type: "navigate", sessionID: read.sessionID });
  else if (read.do === "decide") relay.publishDecision(read.decision);
  else if (read.do === "memory") say({ memory: process.memoryUsage().rss });
  else if (read.do === "mark") say({ mark: read.text });
  else {
    await relay.close();
    say({ closed: true });
  }
});
