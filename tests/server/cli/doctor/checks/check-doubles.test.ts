import { expect, test } from "vitest";
import { healthy, hostFile, ourEntry } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

namesTroubles([
  [
    "opencode's own attention",
    {
      files: [
        hostFile("server", { entries: [ourEntry] }),
        hostFile("terminal", { entries: [ourEntry], attention: true }),
      ],
    },
    "broken",
    "opencode calls you too, beside beckon",
    "beckon install --native-attention-off",
  ],
  [
    "opencode 2's own notifier",
    {
      host: { path: "/o", version: "2.0.20", line: "2" },
      files: [hostFile("server", { entries: [{ ...ourEntry, key: "plugins" }] })],
    },
    "advice",
    "opencode 2 may call you too, beside beckon",
    "beckon install --native-attention-off",
  ],
  [
    "another notifier",
    {
      files: [
        hostFile("server", {
          entries: [
            ourEntry,
            { key: "plugin", spec: "@mohak34/opencode-notifier@latest", ours: false, target: undefined },
          ],
        }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "another plugin calls you for the same things: @mohak34/opencode-notifier@latest",
    "beckon config import opencode-notifier",
  ],
]);

test.each([
  ["in the client's own file, which loads no notifier", "client", "opencode-notify"],
  ["below a folder that is only called like one", "server", "/home/ann/opencode-notifier/plugins/theme.ts"],
] as const)("another plugin is no double: %s", (_name, role, spec) => {
  const theirs = hostFile(role, { entries: [{ key: "plugins", spec, ours: false, target: undefined }] });
  expect(troubles({ ...healthy, files: [...healthy.files, theirs] })).toEqual([]);
});
