// A program of its own, run by each runtime: pushes to a server that is up to no good, says what came of it and what it
// cost, and stays until it is ended, so that whoever started it sees which connections are still open.
import { createPush } from "../../../../src/server/delivery/push.ts";
import { systemClock } from "../../../../src/shared/clock.ts";
import { noteOf } from "../note.ts";

const { GOOD = "", BAD = "", LISTENS } = process.env;
const lines: string[] = [];
const waits = [1_000, 2_000, 5_000, 15_000, 60_000];
const push = createPush({
  env: {},
  // No wait between two tries; the deadlines are short.
  clock: { ...systemClock, after: (ms, run) => systemClock.after(waits.includes(ms) ? 1 : 1_000, run) },
  log: (line) => lines.push(line),
  deadlineMs: 1_500,
});
setInterval(() => {}, 1_000);

const note = noteOf({ actions: [{ key: "once:per_1", label: "Allow once" }] });
const targetAt = (url: string) =>
  ({
    ...({ type: "ntfy", url, topic: "phone", token: "tk_secret", afterSeconds: 0, title: false } as const),
    ...{ detail: false, actions: true, events: ["pause" as const] },
  }) as const;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await push.send(note, targetAt(GOOD)); // what a first request loads is no cost of the bad one
const before = process.memoryUsage().rss;
let most = before;
setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 20);
const delivery = await push.send(note, targetAt(BAD), LISTENS);
while (LISTENS !== undefined && lines.length === 0) await later(10);
await push.send(note, targetAt(GOOD)); // a marker: whatever was to come of the bad one has come
process.stdout.write(`${JSON.stringify({ delivery, lines, grownMB: (most - before) >> 20 })}\n`);
