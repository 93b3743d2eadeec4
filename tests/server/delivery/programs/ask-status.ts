// A program of its own, run by each runtime: asks each address for its status, by whatever proxy its environment names.
import { askStatus, readAnswer } from "../../../../src/server/delivery/http-client.ts";
import { systemClock } from "../../../../src/shared/clock.ts";

const { URLS = "" } = process.env;
const hold = setInterval(() => {}, 1_000);
const ways = { env: process.env, clock: systemClock, headMs: 20_000 };
const said: unknown[] = [];
for (const url of URLS.split(" ")) {
  const answer = await askStatus({ url, method: "POST", headers: {}, body: "é" }, ways);
  said.push(answer.ok ? answer.value : answer.error.detail);
  let body = "";
  const read = (data: Buffer) => {
    body += data.toString("utf8");
    return true;
  };
  await readAnswer({ url, method: "GET", headers: {} }, ways, { silentMs: 20_000, mostBytes: 10_000, read });
  said.push(body);
}
process.stdout.write(`${JSON.stringify(said)}\n`);
clearInterval(hold);
