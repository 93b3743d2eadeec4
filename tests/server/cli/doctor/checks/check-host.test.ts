import { expect, test } from "vitest";
import { healthy } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

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

test("a development build, which calls itself 0.0.0, is not called old", () => {
  expect(troubles({ ...healthy, host: { path: "/o", version: "0.0.0-dev-202601", line: "1" } })).toEqual([]);
});
