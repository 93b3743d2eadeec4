import { connect, type Socket } from "node:net";
import { unixPath } from "../../../src/shared/rendezvous.ts";

/** A socket without any manners, for what no websocket library would send. */
export type Raw = {
  socket: Socket;
  received(): string;
  /** Resolves when the other side has ended it. */
  ended: Promise<void>;
};

/** To a relay's address. One that does not hang up keeps its side open whatever the other does, until it is cut. */
export function openRaw(url: string, bytes?: string | Buffer, { hangsUp = true } = {}): Raw {
  let received = "";
  const path = unixPath(url);
  const where = path === undefined ? { port: Number(new URL(url).port), host: "127.0.0.1" } : { path };
  const socket = connect({ ...where, allowHalfOpen: true });
  socket.on("connect", () => bytes !== undefined && socket.write(bytes));
  socket.on("data", (data) => {
    received += data.toString("latin1");
  });
  socket.on("error", () => {}); // a reset is an end too
  const ended = new Promise<void>((done) => {
    socket.on("close", () => done());
    if (hangsUp) socket.on("end", () => socket.end());
  });
  return { socket, received: () => received, ended };
}

export const upgradeRequest = (path: string, headers: Record<string, string | undefined> = {}): string => {
  const all: Record<string, string | undefined> = {
    Host: "127.0.0.1:1",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
};

/** One masked frame as a client sends it. */
export function frame(payload: Buffer | string, { opcode = 1, last = true } = {}): Buffer {
  const data = Buffer.from(payload);
  const head = [(last ? 0x80 : 0) | opcode];
  if (data.length < 126) head.push(0x80 | data.length);
  else if (data.length < 65_536) head.push(0x80 | 126, data.length >> 8, data.length & 255);
  else head.push(0x80 | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (data.length >> shift) & 255));
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), data]); // a mask of zeros changes nothing
}
