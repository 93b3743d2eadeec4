// Many sessions that have worked and rest now, with no banner left on the screen: what one costs, whether a decision takes longer, whether they are let go.
// Run with --expose-gc.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../percentile.mjs";
import { ask, reply } from "./ask-and-end.mjs";
import { roundOf } from "./host.mjs";
import { createStage } from "./parts.mjs";

const [few, many] = process.argv.slice(2).map(Number);
let decided = 0;
let called = () => {};
const stage = await createStage({
  modes: { done: "none" },
  onSend: () => called(),
  onDecision: () => {
    decided += 1;
  },
});

async function heap() {
  for (let turn = 0; turn < 4; turn += 1) {
    await sleep(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

async function work(from, to) {
  for (let index = from; index < to; index += 1) {
    for (const event of roundOf(`ses_${index}`)) stage.receive(event);
    if (index % 50 === 0) await sleep(1);
  }
  while (decided < to) await sleep(5);
}

/** ms from an ask to its channel, in sessions that were there before */
async function decisionTimes(count) {
  const samples = [];
  for (let turn = -100; turn < 500; turn += 1) {
    const sessionID = `ses_${(turn + 100) % count}`;
    const requestID = `per_${count}_${turn}`;
    const arrived = new Promise((resolve) => {
      called = () => resolve(performance.now());
    });
    const before = performance.now();
    stage.receive(ask(sessionID, requestID));
    const took = (await arrived) - before;
    called = () => {};
    stage.receive(reply(sessionID, requestID));
    if (turn >= 0) samples.push(took);
  }
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
}

await work(0, few);
const withFew = await decisionTimes(few);
const before = await heap();
const known = stage.decider.state.sessions.size;
decided = few;
await work(few, many);
const bytesPerSession = ((await heap()) - before) / (stage.decider.state.sessions.size - known);
const withMany = await decisionTimes(many);
for (let index = 0; index < many; index += 1) {
  const sessionID = `ses_${index}`;
  stage.receive({
    id: `evt_gone${index}`,
    type: "session.deleted",
    properties: { sessionID, info: { id: sessionID } },
  });
}
const left = stage.decider.state.sessions.size;
const bytesLeftPerSession = ((await heap()) - before) / many;
console.log(JSON.stringify({ withFew, withMany, bytesPerSession, bytesLeftPerSession, left }));
process.exit(0);
