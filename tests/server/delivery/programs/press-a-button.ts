// A program of its own, run by each runtime: two messages with buttons, one is pressed by the test; the other's stays listened for.
import { createPush } from "../../../../src/server/delivery/push.ts";
import { systemClock } from "../../../../src/shared/clock.ts";
import { noteOf } from "../note.ts";

const { NTFY: url = "", STOPS } = process.env;
const awake = setInterval(() => {}, 1_000);
const push = createPush({
  env: {},
  clock: systemClock,
  log: (line) => process.stdout.write(`${line}\n`),
  onNote(event) {
    process.stdout.write(`${JSON.stringify(event)}\n`);
    if (STOPS !== undefined) push.stop();
    clearInterval(awake); // nothing of ours keeps a process alive
  },
});
const target = {
  type: "ntfy",
  url,
  topic: "phone",
  afterSeconds: 0,
  title: false,
  detail: false,
  actions: true,
} as const;
for (const requestID of ["per_1", "per_2"]) {
  const note = noteOf({ actions: [{ key: `once:${requestID}`, label: "Allow once" }] });
  await push.send(note, { ...target, events: ["pause"] }, requestID);
}
