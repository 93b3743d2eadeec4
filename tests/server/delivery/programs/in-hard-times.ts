// A program of its own, run by each runtime inside a private desktop whose daemon hangs and whose bus dies.
import { createChannels } from "../../../../src/server/delivery/channels.ts";
import { systemClock } from "../../../../src/shared/clock.ts";
import { noteOf } from "../note.ts";

const awake = setInterval(() => {}, 1_000); // nothing of ours keeps a process alive
const said: unknown[] = [];
const channels = () =>
  createChannels({ platform: "linux", env: { ...process.env, PATH: "" }, clock: systemClock, log: () => {} });
const send = async (banner = channels().banner) => {
  const delivery = await banner?.send(noteOf());
  said.push(delivery?.ok ? "ok" : delivery?.reason);
};

const first = channels().banner;
await send(first);
process.kill(Number(process.env.DAEMON_PID), "SIGSTOP");
await send(first);
process.kill(Number(process.env.DAEMON_PID), "SIGCONT");
const second = channels().banner;
await send(second);
process.kill(Number(process.env.BUS_PID), "SIGKILL");
await send(second);
await send(second);
await send();
await second?.close();
process.stdout.write(`${JSON.stringify(said)}\n`);
clearInterval(awake);
