// A program of its own, run by each runtime inside a private desktop: shows, replaces, takes back, hears a click,
// hands its last note to a detached program and ends by itself, though the bus is still connected.
import { execFileSync } from "node:child_process";
import type { NoteEvent } from "../../../../src/server/delivery/channel.ts";
import { createChannels } from "../../../../src/server/delivery/channels.ts";
import { handToDetached } from "../../../../src/server/delivery/hand-to-detached.ts";
import { systemClock } from "../../../../src/shared/clock.ts";
import { noteOf } from "../note.ts";

const awake = setInterval(() => {}, 1_000); // nothing of ours keeps a process alive
const said: unknown[] = [];
let clicked = (_event: NoteEvent) => {};
const click = new Promise<NoteEvent>((resolve) => {
  clicked = resolve;
});
const { banner } = createChannels({
  platform: "linux",
  env: process.env,
  clock: systemClock,
  log: (line) => said.push(line),
  onNote: (event) => event.type === "action" && clicked(event),
});

const actions = [{ key: "default", label: "Open" }];
said.push(await banner?.send(noteOf({ key: "ses_S", body: "one", actions })));
said.push(await banner?.send(noteOf({ key: "ses_S", body: "two < three", actions })));
execFileSync("dunstctl", ["action", "0"]);
said.push(await click);
said.push(await banner?.send(noteOf({ key: "R", title: "taken back" })));
await banner?.withdraw("R");
said.push(handToDetached(noteOf({ title: "last words" }), { platform: "linux", env: process.env }));
process.stdout.write(`${JSON.stringify(said)}\n`);
clearInterval(awake);
