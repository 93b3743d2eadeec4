// What a key press costs in the terminal part, beside a listener that does nothing. Prints ns.
import { EventEmitter } from "node:events";
import process from "node:process";
import { percentile } from "../percentile.mjs";
import { loadRelayParts, openTerminal } from "./relay-stage.mjs";

const batch = 1_000;
const { renderer } = openTerminal(await loadRelayParts(), []);
const bare = new EventEmitter().on("keypress", () => {});

function nsEach(emitter) {
  const before = process.hrtime.bigint();
  for (let press = 0; press < batch; press += 1) emitter.emit("keypress", {});
  return Number(process.hrtime.bigint() - before) / batch;
}

const samples = { ours: [], bare: [] };
for (let turn = -20; turn < 200; turn += 1) {
  const took = { ours: nsEach(renderer.keyInput), bare: nsEach(bare) };
  if (turn >= 0) for (const name of ["ours", "bare"]) samples[name].push(took[name]);
  await new Promise(setImmediate);
}
console.log(JSON.stringify({ ours: percentile(samples.ours, 0.5), bare: percentile(samples.bare, 0.5) }));
process.exit(0);
