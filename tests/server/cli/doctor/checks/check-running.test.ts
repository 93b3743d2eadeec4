import { expect, test } from "vitest";
import { descriptor, healthy } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

const onPort = healthy.running.map((one) => ({
  ...one,
  descriptor: { ...descriptor, url: "ws://127.0.0.1:4711/focus" },
}));

namesTroubles([
  [
    "an opencode started before",
    { running: [], relays: [] },
    "advice",
    "opencode runs (pid 42) without beckon in it",
    undefined,
  ],
  [
    "no opencode running",
    { running: [], relays: [], hostProcesses: [] },
    "advice",
    "no opencode is running",
    undefined,
  ],
  [
    "an old copy still running",
    { version: "0.2.0" },
    "advice",
    "opencode with pid 42 runs beckon 0.1.0, this command is 0.2.0",
    undefined,
  ],
  [
    "a running opencode that does not answer",
    { running: [{ descriptor, failure: "closed with 4401" }] },
    "broken",
    "opencode with pid 42 announces itself and does not answer",
    undefined,
  ],
  [
    "a relay everybody here can knock at",
    { running: onPort },
    "advice",
    "opencode with pid 42 listens for its terminals on a port, not at a unix socket",
    undefined,
  ],
  [
    "a command without ws beside it",
    { running: [{ descriptor, failure: "ws is not installed beside this command", noLibrary: true }] },
    "advice",
    "opencode with pid 42 has beckon in it, and cannot be asked how it is",
    "npm install --global opencode-beckon",
  ],
  [
    "a relay's file that others may read",
    { relays: [{ id: "abcdefgh1234", path: "/r/a.json", problem: "loose" }] },
    "broken",
    "terminals refuse to connect to a running opencode",
    "chmod 600 /r/a.json",
  ],
]);

test("a port is no trouble where relays have nothing else, or where it is asked for", () => {
  const named = (change: Partial<typeof healthy>) =>
    troubles({ ...healthy, running: onPort, ...change }).filter(({ symptom }) => symptom.includes("on a port"));
  expect(named({})).toHaveLength(1);
  expect(named({ platform: "win32" })).toEqual([]);
  expect(named({ env: { ...healthy.env, BECKON_TRANSPORT: "tcp" } })).toEqual([]);
});
