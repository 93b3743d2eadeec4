// How long `dispose` takes while much waits to be decided, and whether anything is left that keeps the process alive.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./ask-and-end.mjs";
import { fakeInput, roundOf } from "./host.mjs";

setTimeout(() => process.exit(3), 20_000).unref(); // only when something of ours does keep it alive
const [door] = process.argv.slice(2);
const before = process.getActiveResourcesInfo();
const { default: plugin } = await import(door);
const hooks = await plugin.server(fakeInput());
await sleep(1_500); // the relay listens, everything lazy has been read
for (let index = 0; index < 50; index += 1) {
  for (const event of roundOf(`ses_done${index}`)) hooks.event({ event });
  hooks.event({ event: ask(`ses_ask${index}`) });
}
const started = performance.now();
await hooks.dispose();
const tookMs = performance.now() - started;
const known = [...before];
const left = process.getActiveResourcesInfo().filter((name) => {
  const at = known.indexOf(name);
  if (at !== -1) known.splice(at, 1);
  return at === -1;
});
console.log(JSON.stringify({ tookMs, left }));
