import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Runtime, runtimes } from "../../package/runtimes.ts";
import { bundle } from "../../rig/bundle.ts";
import { printed, startChild } from "../../rig/host/child.ts";
import { createAuthority } from "../../rig/http/certificates.ts";
import { startProxy } from "../../rig/http/proxy-server.ts";
import { needs } from "../../rig/needs.ts";

let bundled: string;
beforeAll(async () => {
  bundled = await bundle(new URL("./programs/ask-status.ts", import.meta.url));
});

/** The status of each address, and what it says to whoever reads on; it ends by itself and says nothing on stderr. */
async function askedBy({ program, args, env }: Runtime, urls: string[], more: Record<string, string> = {}) {
  const child = startChild(program, [...args, bundled], {
    cwd: dirname(bundled),
    env: { PATH: process.env.PATH ?? "", ...env, ...more, URLS: urls.join(" ") },
  });
  onTestFinished(async () => void (await child.end()));
  const [line] = await printed(child, /^\[.*\]$/m);
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stderr()).toBe("");
  return JSON.parse(line);
}

/** A server that answers in two parts, which come as chunks. */
async function startServer(tls?: { key: string; cert: string }) {
  const bodies: string[] = [];
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
    request.on("end", () => {
      response.write(`${request.method} `);
      response.end(request.headers.host);
    });
  };
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, bodies };
}

async function startProxyTo(to: number, tls?: { key: string; cert: string }) {
  const proxy = await startProxy({ to, ...(tls === undefined ? {} : { tls }) });
  onTestFinished(() => proxy.close());
  return proxy;
}

describe.each(runtimes())("in $name", (runtime) => {
  test("a server is asked directly, and what it says in chunks is put together", async () => {
    const { port, bodies } = await startServer();
    const host = `127.0.0.1:${port}`;
    expect(await askedBy(runtime, [`http://${host}/a`])).toEqual([200, `GET ${host}`]);
    expect(bodies).toEqual(["é"]);
  });

  test("a proxy is asked where the environment names one, with its password; not for what is excepted", async () => {
    const { port } = await startServer();
    const proxy = await startProxyTo(port);
    const environment = { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}`, NO_PROXY: "127.0.0.1" };
    const urls = ["http://ntfy.invalid/a?b=c", `http://127.0.0.1:${port}/`];
    const direct = [200, `GET 127.0.0.1:${port}`];
    expect(await askedBy(runtime, urls, environment)).toEqual([200, "GET ntfy.invalid", ...direct]);
    const authorization = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(proxy.asked).toEqual([
      { line: "POST http://ntfy.invalid/a?b=c", authorization },
      { line: "GET http://ntfy.invalid/a?b=c", authorization },
    ]);
  });

  test("what is no http proxy is told by the variable's name, never by its value", async () => {
    const words = "https_proxy is not the address of an http proxy";
    const environment = { https_proxy: "socks5://me:secret@127.0.0.1:1" };
    expect(await askedBy(runtime, ["https://ntfy.invalid/"], environment)).toEqual([words, ""]);
  });

  needs("openssl")("over TLS", () => {
    const withAuthority = () => {
      const authority = createAuthority(dirname(bundled));
      return { ...authority, environment: { NODE_EXTRA_CA_CERTS: authority.path } };
    };

    test("a server is asked whose certificate is vouched for, and for that name", async () => {
      const { certify, environment } = withAuthority();
      const { port } = await startServer(certify("DNS:localhost,IP:127.0.0.1"));
      const urls = [`https://localhost:${port}/`, `https://127.0.0.1:${port}/`];
      const [first, second, ...rest] = await askedBy(runtime, urls, environment);
      expect([first, second, ...rest]).toEqual([200, `GET localhost:${port}`, 200, `GET 127.0.0.1:${port}`]);
    });

    test("nothing is sent to one that nobody vouches for, or that has another's certificate", async () => {
      const { certify, environment } = withAuthority();
      const [unknown, wrong] = [
        await startServer(certify("DNS:localhost")),
        await startServer(certify("DNS:other.test")),
      ];
      expect(await askedBy(runtime, [`https://localhost:${unknown.port}/`])).toEqual([expect.any(String), ""]);
      const wrongName = await askedBy(runtime, [`https://localhost:${wrong.port}/`], environment);
      expect(wrongName).toEqual([expect.stringMatching(/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/), ""]);
      expect([unknown.bodies, wrong.bodies]).toEqual([[], []]);
    });

    test("a proxy opens a tunnel, and the server's own certificate counts", async () => {
      const { certify, environment } = withAuthority();
      const server = await startServer(certify("DNS:ntfy.invalid"));
      const proxy = await startProxyTo(server.port);
      const proxied = { ...environment, HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
      const urls = ["https://ntfy.invalid/", "https://other.invalid/"];
      const [first, body, second, none] = await askedBy(runtime, urls, proxied);
      expect([first, body, none]).toEqual([200, "GET ntfy.invalid", ""]);
      expect(second).toMatch(/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/);
      expect(proxy.asked[0]).toEqual({ line: "CONNECT ntfy.invalid:443", authorization: undefined });
      expect(server.bodies).toEqual(["é"]);
    });

    test("a proxy may itself be spoken to over TLS", async () => {
      const { certify, environment } = withAuthority();
      const server = await startServer(certify("DNS:ntfy.invalid"));
      const proxy = await startProxyTo(server.port, certify("DNS:localhost"));
      const proxied = { ...environment, https_proxy: `https://localhost:${proxy.port}` };
      expect(await askedBy(runtime, ["https://ntfy.invalid/"], proxied)).toEqual([200, "GET ntfy.invalid"]);
    });
  });
});
