// From the host's event to the channel being called, beside a bare timer with the same look-ups and the same call.
import process from "node:process";
import { percentile } from "../percentile.mjs";
import { ask, endOfRound } from "./ask-and-end.mjs";
import { roundOf } from "./host.mjs";
import { createStage } from "./parts.mjs";

let called = () => {};
let delivered = () => {};
const stage = await createStage({
  onSend: () => called(),
  onDecision: ({ sessionID, outcome }) => outcome === "delivered" && delivered(sessionID),
});
const samples = { ask: [], end: [], "first ends": [], "end among many": [], "bare ask": [], "bare end": [] };

/** ms until the channel is called */
async function timed(start) {
  const arrived = new Promise((resolve) => {
    called = () => resolve(performance.now());
  });
  const before = performance.now();
  await start();
  return (await arrived) - before;
}

const rounds = 1_000;
for (let round = -200; round < rounds; round += 1) {
  const sessionID = `ses_${round}`;
  const events = roundOf(sessionID);
  for (const event of events.filter((event) => event !== endOfRound(events))) stage.receive(event);
  const end = await timed(() => stage.receive(endOfRound(events)));
  const bareEnd = await timed(() =>
    setTimeout(async () => {
      await stage.queries.session(sessionID);
      await stage.queries.messages(sessionID);
      called(await stage.banner.send({}));
    }, 0),
  );
  const bareAsk = await timed(() =>
    setTimeout(async () => {
      await stage.queries.session(sessionID);
      called(await stage.banner.send({}));
    }, 0),
  );
  const asked = await timed(() => stage.receive(ask(sessionID)));
  stage.receive({
    id: `evt_gone_${round}`,
    type: "session.deleted",
    properties: { sessionID, info: { id: sessionID } },
  });
  if (round < 0) continue; // warming up
  samples.end.push(end);
  samples.ask.push(asked);
  samples["bare end"].push(bareEnd);
  samples["bare ask"].push(bareAsk);
}

// Banners of other sessions stay up now: from the end of the round until it stands in the journal as delivered.
for (let round = 0; round < 300; round += 1) {
  const sessionID = `ses_up${round}`;
  const events = roundOf(sessionID);
  for (const event of events.filter((event) => event !== endOfRound(events))) stage.receive(event);
  const recorded = new Promise((resolve) => {
    delivered = (id) => id === sessionID && resolve(performance.now());
  });
  const before = performance.now();
  stage.receive(endOfRound(events));
  const took = (await recorded) - before;
  if (round < 3) samples["first ends"].push(took);
  if (round >= 200) samples["end among many"].push(took);
  await new Promise((go) => setTimeout(go, 10)); // what follows a delivery is over
}
console.log(
  JSON.stringify(
    Object.fromEntries(
      Object.entries(samples).map(([name, all]) => [name, { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }]),
    ),
  ),
);
process.exit(0);
