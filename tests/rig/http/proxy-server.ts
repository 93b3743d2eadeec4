import { request as ask, createServer as createPlain, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

export type ProxyOptions = {
  /** Spoken to over TLS. */
  tls?: { key: string; cert: string };
  /** Every name leads to this port of this machine: names that do not exist work through the proxy alone. */
  to: number;
};

/** An http proxy: forwards plain requests and opens tunnels. */
export async function startProxy({ tls, to }: ProxyOptions) {
  const asked: { line: string; authorization: string | undefined }[] = [];
  const open = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage) =>
    asked.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    note(incoming);
    const { pathname, search, host } = new URL(incoming.url ?? "");
    const { method, headers } = incoming;
    const onward = { host: "127.0.0.1", port: to, path: pathname + search, method, headers: { ...headers, host } };
    const passed = ask(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  }

  const server = tls === undefined ? createPlain(forward) : createSecure(tls, forward);
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  server.on("connect", (incoming, near) => {
    note(incoming);
    const far = connect(to, "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    for (const end of [near, far]) end.on("error", () => [near, far].map((each) => each.destroy()));
    for (const end of [near, far]) end.on("close", () => [near, far].map((each) => each.destroy()));
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    open: () => open.size,
    close(): Promise<void> {
      for (const socket of open) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
