import { fail, ok, type Result } from "../../shared/result.ts";
import type { Environment } from "./find-program.ts";

export type HttpProxy = {
  host: string;
  port: number;
  /** It is spoken to over TLS itself. */
  secure: boolean;
  /** The value of `Proxy-Authorization`. */
  authorization?: string;
};

/**
 * The proxy for an address, as the host's own Bun chooses it for whatever opencode fetches (tried with Bun 1.3.14):
 * `http_proxy` for http, `https_proxy` for https, small letters first, empty is absent; `no_proxy` excepts names. What is
 * no proxy we can use is an error that names the variable, never its value: that may hold a password.
 */
export function proxyFor(url: URL, env: Environment): Result<HttpProxy | undefined, string> {
  const wanted = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  const name = [wanted, wanted.toUpperCase()].find((each) => env[each]);
  if (name === undefined || isExcepted(url, env.no_proxy || env.NO_PROXY || "")) return ok(undefined);
  const proxy = parseProxy(env[name] ?? "");
  return proxy === undefined ? fail(`${name} is not the address of an http proxy`) : ok(proxy);
}

function parseProxy(text: string): HttpProxy | undefined {
  try {
    const { protocol, hostname, port, username, password } = new URL(
      /^[\w+.-]+:\/\//.test(text) ? text : `http://${text}`,
    );
    const secure = protocol === "https:";
    if ((!secure && protocol !== "http:") || hostname === "") return undefined;
    const credentials = [username, password].map(decodeURIComponent).join(":");
    return {
      host: withoutBrackets(hostname),
      port: Number(port) || (secure ? 443 : 80),
      secure,
      ...(username === "" ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }),
    };
  } catch {
    return undefined;
  }
}

/** `*`, a name with all below it (a dot or `*.` before it makes no difference), or one of these with a port. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname).toLowerCase();
  const itsPort = port || (protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim())
    .some((entry) => {
      if (entry === "*") return true;
      const [, bracketed, plain, onlyPort = itsPort] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      const name = bracketed ?? (plain ?? entry).replace(/^\*?\./, "");
      return name !== "" && onlyPort === itsPort && (host === name || host.endsWith(`.${name}`));
    });
}

/** Addresses of IPv6 stand in brackets in a URL, and nowhere else. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");
