import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** What a server does to a connection once it has a whole head of a request; `pump` sends this for ever. */
type Behaviour = (socket: Socket, pump: (chunk: Buffer) => void, prepared: Buffer) => void;

const head = (...lines: string[]): string => ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
const x = (count: number): Buffer => Buffer.alloc(count, "x");
const chunk = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]);
/** Less than a megabyte that becomes 200. */
const bomb = (): Buffer => gzipSync(Buffer.alloc(2e8, " "), { level: 1 });

/** Ways to answer that are meant to hurt, or that break on the way. */
export const hostilities = {
  "an endless body": (socket, pump) => {
    socket.write(head());
    pump(x(65_536));
  },
  "an endless chunked body": (socket, pump) => {
    socket.write(head("Transfer-Encoding: chunked"));
    pump(chunk(x(65_536)));
  },
  "endless lines of a chunk": (socket, pump) => {
    socket.write(head("Transfer-Encoding: chunked"));
    pump(x(65_536));
  },
  "a gzip bomb": (socket, _, prepared) => {
    socket.write(head("Content-Encoding: gzip", `Content-Length: ${prepared.length}`));
    socket.write(prepared);
  },
  "gzip that is none": (socket) => socket.write(`${head("Content-Encoding: gzip", "Content-Length: 8")}not gzip`),
  "endless headers": (socket, pump) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    pump(Buffer.from(`X-A: ${"a".repeat(1_000)}\r\n`));
  },
  "one endless header": (socket, pump) => {
    socket.write("HTTP/1.1 200 OK\r\nX-A: ");
    pump(x(65_536));
  },
  "endless interim answers": (_, pump) => pump(Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000))),
  "endless garbage": (_, pump) => pump(x(65_536)),
  "a head that never ends": (socket) => socket.write("HTTP/1.1 200 OK\r\nX-A: b"),
  "a head byte by byte": (socket) => {
    const timer = setInterval(() => socket.write("a"), 20);
    socket.once("close", () => clearInterval(timer));
    socket.write("HTTP/1.1 200 OK\r\nX-A: ");
  },
  silence: () => {},
  "a connection reset in the head": (socket) => socket.write("HTTP/1.1 200", () => socket.resetAndDestroy()),
  "a connection reset in the body": (socket) =>
    socket.write(`${head("Content-Length: 100")}abc`, () => socket.resetAndDestroy()),
  "a redirect to itself": (socket) =>
    socket.write("HTTP/1.1 307 x\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
  "another protocol": (socket) => socket.write("HTTP/1.1 101 x\r\nUpgrade: y\r\nConnection: upgrade\r\n\r\n"),
  "lines without an end": (socket, pump) => {
    socket.write(head());
    pump(Buffer.from('{"event":"keepalive"}\n'.repeat(1_000)));
  },
} satisfies Record<string, Behaviour>;

export type Hostility = keyof typeof hostilities;

/** A server that does this to whoever asks for something by that method, and answers the others with an empty 200. */
export async function startHostileServer(what: Hostility, method: "GET" | "POST" = "POST") {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const behave: Behaviour = hostilities[what];
  const prepared = what === "a gzip bomb" ? bomb() : Buffer.alloc(0);
  const pumpInto = (socket: Socket) => (bytes: Buffer) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(bytes));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  };
  const server = createServer((socket) => {
    let got = "";
    open.add(socket);
    socket.on("error", () => {}); // whoever is hurt hangs up
    socket.on("close", () => open.delete(socket));
    socket.on("data", (data) => {
      const isNew = !got.includes("\r\n\r\n");
      got += data;
      if (!isNew || !got.includes("\r\n\r\n")) return;
      requests.push(got.slice(0, got.indexOf("\r\n\r\n")));
      if (got.startsWith(method)) behave(socket, pumpInto(socket), prepared);
      else socket.write(head("Content-Length: 0"));
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The heads of all requests, in order. */
    requests,
    /** Connections that the other side has not closed. */
    open: () => open.size,
    close(): Promise<void> {
      for (const socket of open) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
