// From handing a note to our banner channel to the daemon having the call, beside a bare call on the same bus.
// A bus and a daemon of our own, each in a process of its own.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import dbus from "dbus-native";
import { percentile } from "../percentile.mjs";
import { loadParts } from "./parts.mjs";

const socket = `${process.env.HOME}/bus`;
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill();
});

const arrivals = new Map();
await startBus();
await startService();
const results = { bare: [], ours: [] };
const senders = { bare: bareSender(), ours: await ourSender() };
for (let turn = -50; turn < 500; turn += 1) {
  for (const [name, send] of Object.entries(senders)) {
    const body = `${name}${turn}`;
    const before = process.hrtime.bigint();
    await send(body);
    const took = Number((await arrived(body)) - before) / 1e6;
    if (turn >= 0) results[name].push(took);
  }
}
const shares = ([name, all]) => [name, { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }];
console.log(JSON.stringify(Object.fromEntries(Object.entries(results).map(shares))));
process.exit(0);

function bareSender() {
  const bus = dbus.sessionBus({ busAddress: `unix:path=${socket}` });
  const service = { destination: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications" };
  const call = { ...service, interface: "org.freedesktop.Notifications", member: "Notify", signature: "susssasa{sv}i" };
  return (body) =>
    new Promise((resolve, reject) => {
      const args = ["opencode", 0, "", "Bench", body, [], [["urgency", ["y", 1]]], -1];
      bus.invoke({ ...call, body: args }, (error) => (error ? reject(error) : resolve()));
    });
}

async function ourSender() {
  const { createChannel, createDbusBanner, openBus, systemClock } = await loadParts();
  const clock = systemClock;
  const outlet = createDbusBanner({ openBus, paths: [socket], clock });
  const channel = createChannel({ name: "banner", outlets: [outlet], deadlineMs: 5_000, clock, log: console.error });
  const note = { key: "ses_1", kind: "pause", sessionID: "ses_1", title: "Bench", urgency: "normal", spoken: "Bench" };
  return async (body) => {
    const delivery = await channel.send({ ...note, body });
    if (!delivery.ok) throw new Error(`${delivery.reason}: ${delivery.detail}`);
  };
}

async function startBus() {
  const bus = spawn("dbus-daemon", [
    "--session",
    "--nofork",
    "--nopidfile",
    "--print-address=1",
    `--address=unix:path=${socket}`,
  ]);
  children.push(bus);
  await new Promise((resolve) => {
    bus.stdout.once("data", resolve);
    bus.once("error", () => {
      console.log(JSON.stringify({ missing: "dbus" }));
      process.exit(0);
    });
  });
}

async function startService() {
  const script = fileURLToPath(new URL("notification-service.mjs", import.meta.url));
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
  const service = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(service);
  await new Promise((resolve) => {
    createInterface({ input: service.stdout }).on("line", (line) => {
      if (line === "ready") return resolve();
      const [body, ns] = line.split(" ");
      arrivals.get(body)?.resolve(BigInt(ns));
      arrivals.set(body, { at: BigInt(ns) });
    });
  });
}

/** @returns ns on the clock all processes of a machine share */
function arrived(body) {
  const known = arrivals.get(body);
  if (known) return known.at;
  return new Promise((resolve) => arrivals.set(body, { resolve }));
}
