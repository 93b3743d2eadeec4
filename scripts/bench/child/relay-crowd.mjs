// One relay in a process of its own and a crowd of terminals in this one: memory, heartbeats, processor time, decision time.
// Prints one entry a size. The forked half answers questions.
import { fork } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { percentile } from "../percentile.mjs";
import { loadRelayParts, openRelay } from "./relay-stage.mjs";

const folder = `${process.cwd()}/relays`;
const beatMs = 10_000;
const watchMs = 35_000;

if (process.argv[2] === "relay") await relay();
else await crowd(process.argv.slice(2).map(Number));

async function relay() {
  const parts = await loadRelayParts();
  const { store } = await openRelay(parts, folder);
  const moment = () => ({ now: parts.systemClock.now(), wall: parts.systemClock.wall() });
  const looking = { matches: (id) => id === "ses_nobody", idleSeconds: 600 };
  const answers = {
    async rest() {
      for (let turn = 0; turn < 4; turn += 1) {
        await sleep(50);
        globalThis.gc();
      }
      return { rss: process.memoryUsage().rss, cpu: process.cpuUsage() };
    },
    live: () => [...store.presence().values()].filter((one) => moment().now - one.reportedAt.now < 30_000).length,
    decide() {
      const samples = [];
      for (let turn = -200; turn < 2_000; turn += 1) {
        const at = moment();
        const before = performance.now();
        parts.attendance(store.presence(), looking, at);
        if (turn >= 0) samples.push(performance.now() - before);
      }
      return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };
    },
  };
  process.on("message", async (question) => process.send({ question, answer: await answers[question]() }));
  process.send({ up: true });
}

async function crowd(sizes) {
  const results = {};
  for (const size of sizes) results[size] = await one(size);
  console.log(JSON.stringify(results));
  process.exit(0);
}

async function one(size) {
  const child = fork(fileURLToPath(import.meta.url), ["relay"], { execArgv: ["--expose-gc"] });
  const told = (fits) =>
    new Promise((answer) => {
      const hear = (message) => {
        if (!fits(message)) return;
        child.off("message", hear);
        answer(message);
      };
      child.on("message", hear);
    });
  const ask = async (question) => {
    const answered = told((message) => message.question === question);
    child.send(question);
    return (await answered).answer;
  };
  await told((message) => message.up);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  const { url, token } = JSON.parse(await readFile(`${folder}/${name}`, "utf8"));

  const empty = await ask("rest");
  const sockets = [];
  while (sockets.length < size) {
    const batch = Array.from({ length: Math.min(20, size - sockets.length) }, (_, n) =>
      attach(url, token, sockets.length + n),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  const full = await ask("rest");
  const decide = await ask("decide");
  const result = { bytesEach: (full.rss - empty.rss) / size, decide };
  if (size >= 1_000) Object.assign(result, await watch(sockets, ask));
  for (const { socket } of sockets) socket.terminate();
  child.kill();
  await new Promise((gone) => child.once("exit", gone));
  return result;
}

/** Three heartbeats and a half: nobody may be lost. */
async function watch(sockets, ask) {
  const before = (await ask("rest")).cpu;
  const beats = sockets.map(({ beat }, n) =>
    setTimeout(() => setInterval(beat, beatMs), (n * beatMs) / sockets.length),
  );
  await sleep(watchMs);
  for (const timer of beats) clearTimeout(timer);
  const { cpu } = await ask("rest");
  const usedMs = (cpu.user + cpu.system - before.user - before.system) / 1_000;
  return { live: await ask("live"), processorShare: (usedMs / watchMs) * 100 };
}

function attach(url, token, n) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let seq = 1;
  const report = () => ({
    focus: "focused",
    view: { type: "session", sessionID: `ses_${n}`, rootID: `ses_${n}` },
    idleMs: 0,
  });
  const id = `terminal-${n}`;
  const hello = {
    type: "hello",
    role: "terminal",
    protocols: [1],
    token,
    id,
    name: `pid ${n} on pts/${n}`,
    seq,
    report: report(),
  };
  return new Promise((welcome, fail) => {
    socket.once("open", () => socket.send(JSON.stringify(hello)));
    socket.once("error", fail);
    socket.once("message", () => {
      const beat = () => {
        seq += 1;
        socket.send(JSON.stringify({ type: "report", seq, report: report() }));
      };
      welcome({ socket, beat });
    });
  });
}
