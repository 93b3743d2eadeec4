import { descriptor } from "../healthy.ts";
import { namesTroubles } from "../troubles.ts";

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
