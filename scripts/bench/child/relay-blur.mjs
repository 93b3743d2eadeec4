// From a blur in the terminal's thread to the presence in the server's, as in a plain opencode: one process, two threads.
// Beside it a bare echo over the same kind of socket. Prints both in ms.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { WebSocket, WebSocketServer } from "ws";
import { percentile } from "../percentile.mjs";
import { loadRelayParts, openRelay, openTerminal } from "./relay-stage.mjs";

const rounds = 400;
const warmUp = 50;
/** The terminal part tells changes at most every 25 ms. */
const pauseMs = 30;

if (isMainThread) await terminal();
else await server();

async function server() {
  const { folder } = workerData;
  const parts = await loadRelayParts();
  const echo = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  echo.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  await openRelay(parts, folder, (presence) => {
    const known = [...presence.values()][0];
    parentPort.postMessage({ focus: known?.report.focus, at: process.hrtime.bigint() });
  });
  parentPort.postMessage({ echo: echo.address().port });
  setInterval(() => {}, 60_000); // the relay keeps nothing alive
}

async function terminal() {
  const folder = `${process.cwd()}/relays`;
  const worker = new Worker(new URL(import.meta.url), { workerData: { folder } });
  let heard = () => {};
  const echoPort = new Promise((ready) => {
    worker.on("message", (message) => (message.echo ? ready(message.echo) : heard(message)));
  });
  const next = (focus) =>
    new Promise((known) => {
      heard = (message) => message.focus === focus && known(message.at);
    });
  const port = await echoPort;
  const greeted = next("unknown");
  const { renderer, end } = openTerminal(await loadRelayParts(), [folder]);
  await greeted;

  const ours = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const focus = round % 2 === 0 ? "focus" : "blur";
    const known = next(focus === "focus" ? "focused" : "blurred");
    const before = process.hrtime.bigint();
    renderer.emit(focus);
    const took = Number((await known) - before) / 1e6;
    if (round >= 0) ours.push(took);
    await sleep(pauseMs);
  }
  end();

  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await new Promise((open) => socket.once("open", open));
  const bare = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const answered = new Promise((answer) => socket.once("message", answer));
    const before = process.hrtime.bigint();
    socket.send("x".repeat(150));
    await answered;
    if (round >= 0) bare.push(Number(process.hrtime.bigint() - before) / 1e6);
    await sleep(pauseMs);
  }
  const shares = (values) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });
  console.log(JSON.stringify({ ours: shares(ours), bare: shares(bare) }));
  process.exit(0);
}
