import { describe, expect, test } from "vitest";
import { proxyFor } from "../../../src/server/delivery/http-proxy.ts";

const proxyOf = (address: string, env: Record<string, string>) => {
  const proxy = proxyFor(new URL(address), env);
  return proxy.ok ? proxy.value?.host : proxy.error;
};

test.each<[string, string, Record<string, string>, string | undefined]>([
  ["http by http_proxy", "http://a.test", { http_proxy: "http://p" }, "p"],
  ["http by HTTP_PROXY", "http://a.test", { HTTP_PROXY: "http://p" }, "p"],
  ["https by https_proxy", "https://a.test", { https_proxy: "http://p" }, "p"],
  ["https not by http_proxy", "https://a.test", { http_proxy: "http://p" }, undefined],
  ["http not by https_proxy", "http://a.test", { https_proxy: "http://p" }, undefined],
  ["by small letters before capitals", "http://a.test", { HTTP_PROXY: "http://q", http_proxy: "http://p" }, "p"],
  ["by capitals where the small ones are empty", "http://a.test", { HTTP_PROXY: "http://p", http_proxy: "" }, "p"],
  ["by a name without a scheme", "http://a.test", { http_proxy: "p:3128" }, "p"],
  ["by an address of IPv6", "http://a.test", { http_proxy: "http://[::1]:3128" }, "::1"],
  ["never by ALL_PROXY, as the host", "http://a.test", { ALL_PROXY: "http://p", all_proxy: "http://p" }, undefined],
  ["also on this machine, as the host", "http://127.0.0.1", { http_proxy: "http://p" }, "p"],
])("a server is reached %s", (_, address, env, host) => {
  expect(proxyOf(address, env)).toBe(host);
});

test.each([
  ["*", true],
  ["a.test", true],
  ["A.TEST", true],
  ["x, a.test ,y", true],
  [".test", true],
  ["test", true],
  ["*.test", true],
  ["a.test:8080", true],
  ["a.test:80", false],
  ["b.a.test", false],
  ["est", false],
  ["", false],
  [",", false],
  [".", false],
  [":8080", false],
  ["127.0.0.0/8", false],
])("no_proxy=%j: that a.test:8080 is reached directly is %s", (list, isDirect) => {
  for (const name of ["no_proxy", "NO_PROXY"]) {
    expect(proxyOf("http://a.test:8080/", { http_proxy: "http://p", [name]: list })).toBe(isDirect ? undefined : "p");
  }
});

test("no_proxy takes addresses of IPv6 with and without brackets", () => {
  for (const list of ["::1", "[::1]", "[::1]:80"])
    expect(proxyOf("http://[::1]/", { http_proxy: "http://p", no_proxy: list })).toBe(undefined);
});

describe("what is no proxy", () => {
  test.each([
    "socks5://u:secret@p",
    "garbage:://secret",
    "ftp://p/secret",
    "http://",
    "http://u:%zz@p/secret",
    "http://p:99999",
  ])("is told by its variable alone: %s", (value) => {
    expect(proxyOf("https://a.test", { HTTPS_PROXY: value })).toBe("HTTPS_PROXY is not the address of an http proxy");
  });
});
