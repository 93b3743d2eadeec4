import { namesTroubles } from "../troubles.ts";

namesTroubles([
  [
    "no opencode at all",
    { host: undefined, running: [], hostProcesses: undefined },
    "broken",
    "no opencode found",
    "npm install --global opencode-ai",
    1,
  ],
  [
    "an old opencode",
    { host: { path: "/o", version: "1.17.9", line: "1" } },
    "broken",
    "opencode 1.17.9 is too old for beckon",
    "opencode upgrade",
  ],
  [
    "plugins switched off as a whole",
    { env: { OPENCODE_PURE: "1" } },
    "broken",
    "opencode loads no plugins at all",
    "unset OPENCODE_PURE",
  ],
]);
