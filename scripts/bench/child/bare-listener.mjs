// A plugin of opencode's that listens and throws away what it reads: what a flood costs a host whatever we do.
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import process from "node:process";

const folder = process.env.BECKON_BENCH_BARE;
const listen = (where, then) => {
  const server = createServer((socket) => socket.on("data", () => {}).on("error", () => {}));
  server.listen(where, () => then(server));
};

export const BareListener = async () => {
  if (globalThis.isBareListenerUp) return {};
  globalThis.isBareListenerUp = true;
  listen({ port: 0, host: "127.0.0.1" }, (server) => writeFileSync(`${folder}/port`, String(server.address().port)));
  listen({ path: `${folder}/bare.sock` }, () => chmodSync(`${folder}/bare.sock`, 0o666));
  return {};
};
