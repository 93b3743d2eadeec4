import { expect, test } from "vitest";
import { healthy, hostFile, ourEntry } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

namesTroubles([
  [
    "the plugin not listed",
    { files: [hostFile("terminal", { entries: [ourEntry] })] },
    "broken",
    "opencode does not load beckon",
    "beckon install",
  ],
  [
    "the plugin under the other line's key",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, key: "plugins" }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "opencode 1.x does not load beckon",
    "beckon install --line 1",
  ],
  [
    "the plugin listed twice",
    {
      files: [
        hostFile("server", { entries: [ourEntry, { ...ourEntry, spec: "opencode-beckon@0.0.9" }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed more than once",
    "beckon uninstall && beckon uninstall && beckon install",
  ],
  [
    "an entry that leads nowhere",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, target: { kind: "missing" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed and not there",
    "beckon install",
  ],
  [
    "an entry to a folder without a build",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, target: { kind: "unbuilt" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed and not built",
    "cd /opt/opencode-beckon && npm ci",
  ],
  [
    "a tarball without file: before it",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, spec: "/b-0.1.0.tgz", target: { kind: "tarball" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "opencode cannot load what is listed",
    "beckon install",
  ],
  [
    "a single file for opencode 2",
    {
      host: { path: "/o", version: "2.0.20", line: "2" },
      files: [
        hostFile("server", { entries: [{ ...ourEntry, key: "plugins", target: { kind: "file" } }] }),
        hostFile("client", { switchedOff: ["opencode.notifications"] }),
      ],
    },
    "broken",
    "opencode cannot load what is listed",
    "beckon install",
  ],
  [
    "a configuration of opencode that is no JSON",
    {
      files: [
        hostFile("server", { entries: [ourEntry], isJSON: false }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "~/.config/opencode/opencode.json is not JSON",
    "opencode --version",
  ],
  [
    "the terminal part switched off",
    {
      files: [
        hostFile("server", { entries: [ourEntry] }),
        hostFile("terminal", { entries: [ourEntry], switchedOff: ["beckon.tui"] }),
      ],
    },
    "broken",
    "beckon is listed and switched off",
    undefined,
  ],
]);

test.each([
  ["file:/home/ann/opencode-beckon-0.1.0.tgz", "tarball"],
  ["/opt/opencode-beckon/index.js", "file"],
] as const)("on opencode 1.x %s is as good as the folder", (spec, kind) => {
  const server = hostFile("server", { entries: [{ ...ourEntry, spec, target: { kind } }] });
  expect(troubles({ ...healthy, files: [server, hostFile("terminal", { entries: [ourEntry] })] })).toEqual([]);
});

test.each(["beckon", "beckon.*", "*"])("a selector that switches off %s switches off beckon", (id) => {
  const server = hostFile("server", { entries: [ourEntry], switchedOff: [id] });
  expect(troubles({ ...healthy, files: [server, hostFile("terminal", { entries: [ourEntry] })] })).toMatchObject([
    { level: "broken", symptom: "beckon is listed and switched off" },
  ]);
});
