// One kind of flood at one listener, without a token, until this process is ended (60 s at most). argv: socket path or port, kind.
import { connect } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const [target, kind] = process.argv.slice(-2);
const where = target.startsWith("/") ? { path: target } : { port: Number(target), host: "127.0.0.1" };
setTimeout(() => process.exit(), 60_000);

const request =
  "GET /focus HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const frame = (opcode, length, last = true) =>
  Buffer.concat([Buffer.from([(last ? 0x80 : 0) | opcode, 0x80 | length, 0, 0, 0, 0]), Buffer.alloc(length)]);
const many = (one) => Buffer.concat(Array.from({ length: Math.ceil(1_048_576 / one.length) }, () => one));
const nothing = Buffer.alloc(0);
const sent = {
  huge: {
    sockets: 20,
    once: Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 0, 0, 0, 0]),
    again: Buffer.alloc(1_048_576),
  },
  pongs: { sockets: 1, once: nothing, again: many(frame(10, 125)) },
  pings: { sockets: 1, once: nothing, again: many(frame(9, 125)) },
  empties: { sockets: 1, once: frame(1, 1, false), again: many(frame(0, 0, false)) },
};

function open(bytes) {
  const socket = connect(where);
  socket.setMaxListeners(0);
  socket.on("error", () => {});
  socket.on("connect", () => socket.write(bytes));
  return socket;
}
/** A listener that answers nothing is given a moment; one that cannot be reached is tried again as fast as that tells. */
const answered = (socket) =>
  new Promise((go) => {
    socket.once("data", go).once("close", go);
    setTimeout(go, 50);
  });
const written = (socket, bytes) =>
  new Promise((go) => {
    socket.write(bytes, go);
    socket.once("close", go);
  });

async function push({ once, again }) {
  for (;;) {
    const socket = open(request);
    await answered(socket);
    socket.write(once);
    while (!socket.destroyed) await written(socket, again);
    await sleep(0);
  }
}

/** Three thousand at a time, each for a moment. */
async function knock() {
  for (;;) {
    for (let round = 0; round < 60; round += 1)
      await Promise.all(
        Array.from({ length: 50 }, () => {
          const socket = connect(where, () => socket.destroy());
          return new Promise((gone) => socket.on("error", () => {}).on("close", gone));
        }),
      );
    await sleep(250);
  }
}

async function hold(count, bytes, drip) {
  const sockets = [];
  for (;;) {
    while (sockets.length < count) sockets.push(open(bytes));
    if (drip !== "") for (const socket of sockets) if (socket.writable) socket.write(drip);
    await sleep(50);
    for (const [at, socket] of sockets.entries()) if (socket.destroyed) sockets.splice(at, 1);
  }
}

if (kind in sent) await Promise.all(Array.from({ length: sent[kind].sockets }, () => push(sent[kind])));
else if (kind === "connects") await knock();
else if (kind === "slow") await hold(500, "GET /focus HTTP/1.1\r\n", "X: y\r\n");
else await hold(500, "GET /fo", "");
