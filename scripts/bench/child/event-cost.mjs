// Cost of one call of the event hook, ours and a bare one, measured in turns.
import process from "node:process";
import { setImmediate as nextTick } from "node:timers/promises";
import { percentile } from "../percentile.mjs";
import { fakeInput, ignoredEvents, isRelevant, roundOf } from "./host.mjs";

const [door] = process.argv.slice(2);
const { default: plugin } = await import(door);
const ours = await plugin.server(fakeInput());

let idles = 0;
/** What every plugin has at least, in the form opencode's own documentation shows. */
const bare = {
  event: async ({ event }) => {
    if (event.type === "session.idle") idles += 1;
  },
};
const hooks = { bare, ours };

/** ns of each call by itself; the clock's own cost (some 50 ns) is in every sample, of the bare handler too. */
function single(handler, events, samples) {
  for (const event of events) {
    const before = process.hrtime.bigint();
    handler.event({ event });
    samples.push(Number(process.hrtime.bigint() - before));
  }
}

/** ns of a call, from many together. */
function batched(handler, samples) {
  const rounds = 250;
  const before = process.hrtime.bigint();
  for (let round = 0; round < rounds; round += 1) for (const event of ignoredEvents) handler.event({ event });
  samples.push(Number(process.hrtime.bigint() - before) / rounds / ignoredEvents.length);
}

const samples = {};
const samplesOf = (name) => {
  samples[name] ??= [];
  return samples[name];
};
const rounds = 300;
for (let round = -100; round < rounds; round += 1) {
  if (round === 0) for (const name of Object.keys(samples)) samples[name] = []; // what went before was warming up
  for (const [name, handler] of Object.entries(hooks)) {
    batched(handler, samplesOf(`${name} ignored batch`));
    for (let turn = 0; turn < 20; turn += 1) single(handler, ignoredEvents, samplesOf(`${name} ignored`));
    single(handler, roundOf(`ses_${name}${round}`).filter(isRelevant), samplesOf(`${name} relevant`));
    await nextTick();
  }
}

const results = Object.fromEntries(
  Object.entries(samples).map(([name, all]) => [name, { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }]),
);
await ours.dispose?.();
console.log(JSON.stringify(results));
process.exit(idles > 0 ? 0 : 1); // `idles` is used, so that the bare handler cannot be optimised away
