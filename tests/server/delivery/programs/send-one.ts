// A program of its own, run by each runtime in a folder without node_modules: shows one banner and says how.
import { createChannels } from "../../../../src/server/delivery/channels.ts";
import { systemClock } from "../../../../src/shared/clock.ts";
import { noteOf } from "../note.ts";

const awake = setInterval(() => {}, 1_000); // nothing of ours keeps a process alive
const { banner } = createChannels({ platform: "linux", env: process.env, clock: systemClock, log: () => {} });
process.stdout.write(`${JSON.stringify([await banner?.send(noteOf())])}\n`);
clearInterval(awake);
