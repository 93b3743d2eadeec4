import { describe, expect, test } from "vitest";
import {
  descriptorName,
  mayBeSocketPath,
  readDescriptor,
  readRelayAddress,
  relayDirectories,
  relayIDFromName,
  socketProblem,
  unixPath,
  unixURL,
} from "../../src/shared/rendezvous.ts";

const home = "/home/me";

describe("where relays are announced", () => {
  test.each<[string, Record<string, string>, string[]]>([
    [
      "below the login's own folder and below the state folder",
      { XDG_RUNTIME_DIR: "/run/user/1000" },
      ["/run/user/1000/opencode-beckon/relays", "/home/me/.local/state/opencode-beckon/relays"],
    ],
    [
      "in the state folder alone where a login has no folder (macOS)",
      {},
      ["/home/me/.local/state/opencode-beckon/relays"],
    ],
    [
      "where our own variables say, as they are",
      { BECKON_RUNTIME_DIR: "/r", BECKON_STATE_DIR: "/s", XDG_RUNTIME_DIR: "/run", XDG_STATE_HOME: "/state" },
      ["/r/relays", "/s/relays"],
    ],
    [
      "not at relative paths, not at empty ones",
      { XDG_RUNTIME_DIR: "run", XDG_STATE_HOME: "", BECKON_STATE_DIR: "" },
      ["/home/me/.local/state/opencode-beckon/relays"],
    ],
  ])("%s, by the same rule in both parts", (_where, env, folders) => {
    expect(relayDirectories(env, home)).toEqual(folders);
  });
});

describe("a descriptor", () => {
  const descriptor = {
    url: "ws://127.0.0.1:4321/focus",
    token: "t",
    pid: 7,
    startedAt: 1,
    line: "v1",
    directories: ["/project"],
    protocol: 1,
  };

  test("is read, also when a newer relay says more", () => {
    expect(readDescriptor(JSON.stringify({ ...descriptor, more: true }))).toEqual({ ok: true, value: descriptor });
  });

  test.each([
    ["half written", '{"url":'],
    ["of another machine", JSON.stringify({ ...descriptor, url: "ws://192.168.0.7:4321/focus" })],
    ["of a name", JSON.stringify({ ...descriptor, url: "ws://localhost.evil.example:4321/focus" })],
    ["of another protocol", JSON.stringify({ ...descriptor, url: "http://127.0.0.1:4321/focus" })],
    ["without a token", JSON.stringify({ ...descriptor, token: "" })],
    ["of process 0", JSON.stringify({ ...descriptor, pid: 0 })],
    ["that is none", "null"],
  ])("%s is none", (_what, text) => {
    expect(readDescriptor(text)).toEqual({ ok: false, error: "notADescriptor" });
  });

  test("has the relay's id for a name; drafts and strangers have none", () => {
    expect(relayIDFromName(descriptorName("0123456789abcdef"))).toBe("0123456789abcdef");
    for (const name of [".0123456789abcdef.json.x.tmp", "notes.json", "../0123456789abcdef.json", "0123456789abcdef"])
      expect(relayIDFromName(name)).toBeUndefined();
  });
});

describe("BECKON_RELAY", () => {
  test("names an address and, behind the hash, the token", () => {
    expect(readRelayAddress("ws://127.0.0.1:7777/focus#secret")).toEqual({
      url: "ws://127.0.0.1:7777/focus",
      token: "secret",
    });
    expect(readRelayAddress("wss://relay.example/focus#secret")).toEqual({
      url: "wss://relay.example/focus",
      token: "secret",
    });
  });

  test("or through a tunnel of sockets", () => {
    expect(readRelayAddress("ws+unix:///home/me/.b-1_c.sock:/focus#secret")).toEqual({
      url: "ws+unix:///home/me/.b-1_c.sock:/focus",
      token: "secret",
    });
  });

  test.each([
    undefined,
    "",
    "secret",
    "ws+unix:///home/me/b.sock:/focus",
    "ws+unix:///home/me/b.sock#secret",
    "ws+unix://b.sock:/focus#secret",
    "ws+unix:///home/me/../b.sock:/focus#secret",
    "ws+unix:///home/my self/b.sock:/focus#secret",
    `ws+unix:///${"x".repeat(100)}:/focus#secret`,
    "ws://127.0.0.1:7777/focus",
    "ws://127.0.0.1:7777/focus#",
    "http://127.0.0.1/#a",
  ])("%j names none", (text) => expect(readRelayAddress(text)).toBeUndefined());
});

describe("the address of a unix socket", () => {
  test("leads back to its path", () => {
    const path = "/run/user/1000/opencode-beckon/relays/0123456789abcdef.sock";
    expect(unixPath(unixURL(path))).toBe(path);
    expect(unixPath("ws://127.0.0.1:1/focus")).toBeUndefined();
  });

  test("is good for a path of 100 bytes, and for no sign such an address cannot have", () => {
    expect(mayBeSocketPath(`/${"x".repeat(99)}`)).toBe(true);
    for (const path of [
      `/${"x".repeat(100)}`,
      "/a b",
      "/a:b",
      "/a#b",
      "/a?b",
      "/ä",
      "a",
      "/a/./b",
      "/a/..",
      "/",
      "/a\n",
    ])
      expect(mayBeSocketPath(path)).toBe(false);
  });

  test("is worth a token only when it is a socket of one's own", () => {
    const socket = { isSocket: () => true, uid: 1_000 };
    expect(socketProblem(socket, 1_000)).toBeUndefined();
    expect(socketProblem(socket, 1_001)).toContain("another user");
    expect(socketProblem({ ...socket, isSocket: () => false }, 1_000)).toContain("no socket");
    expect(socketProblem(undefined, 1_000)).toContain("gone");
  });
});
