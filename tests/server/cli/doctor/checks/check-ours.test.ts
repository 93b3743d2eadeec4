import { expect, test } from "vitest";
import { configWith } from "../../../../fakes/config.ts";
import { healthy } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

/** A line of the journal. */
const line = (more: object) => ({
  ...{
    time: "2026-01-05T10:00:00.000Z",
    pid: 1,
    t: 1,
    alert: "done",
    sessionID: "ses_a",
    channels: [],
    title: "Fix login",
  },
  ...{ outcome: "failed", reason: "no-channel" },
  ...more,
});

namesTroubles([
  [
    "a typo in the configuration",
    {
      config: {
        ...healthy.config,
        problems: [
          'alerts.don (line 3, column 5): expected one of the keys …, found an unknown key; did you mean "done"?',
        ],
      },
    },
    "broken",
    "~/.config/opencode-beckon/config.json is not in force",
    "beckon config check",
  ],
  [
    "a state folder that cannot be written",
    {
      folders: { ...healthy.folders, state: { path: "/home/ann/.local/state/opencode-beckon", state: "not-writable" } },
    },
    "broken",
    "decisions are not written down, and mute does not work",
    "chmod u+rwx /home/ann/.local/state/opencode-beckon",
  ],
  [
    "a folder with a blank in its name, so that the line can be pasted",
    { folders: { ...healthy.folders, state: { path: "/home/ann/it's my state", state: "loose" } } },
    "advice",
    "others on this machine can read what beckon writes down",
    `chmod 700 '/home/ann/it'\\''s my state'`,
  ],
  [
    "a journal that belongs to somebody else, as after opencode was run by sudo",
    { journalProblem: "/home/ann/.local/state/opencode-beckon/journal.jsonl: permission denied" },
    "broken",
    "decisions are not written down: beckon why knows none",
    "mv /home/ann/.local/state/opencode-beckon/journal.jsonl /home/ann/.local/state/opencode-beckon/journal.jsonl.old",
  ],
  [
    "a runtime folder that cannot be written",
    { folders: { ...healthy.folders, runtime: { path: "/run/user/1000/opencode-beckon", state: "not-writable" } } },
    "broken",
    "terminals may not find a running opencode",
    "chmod u+rwx /run/user/1000/opencode-beckon",
  ],
  [
    "a runtime folder that cannot be made",
    {
      folders: {
        ...healthy.folders,
        runtime: { path: "/run/user/1000/opencode-beckon", state: "not-writable", above: "/run/user/1000" },
        systemRuntime: { path: "/run/user/1000", state: "not-writable" },
      },
    },
    "broken",
    "terminals may not find a running opencode",
    "chmod u+rwx /run/user/1000",
  ],
  [
    "a runtime folder on a disk that is mounted read-only",
    { folders: { ...healthy.folders, runtime: { path: "/run/user/1000/opencode-beckon", state: "read-only" } } },
    "broken",
    "terminals may not find a running opencode",
    "export BECKON_RUNTIME_DIR=/tmp/opencode-beckon-$(id -u)",
  ],
  [
    "a wrong XDG_RUNTIME_DIR",
    { folders: { ...healthy.folders, systemRuntime: { path: "/run/user/0", state: "foreign" } } },
    "broken",
    "XDG_RUNTIME_DIR does not lead to a folder of yours",
    "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
  ],
  [
    "a relay address without a token",
    { env: { BECKON_RELAY: "ws://127.0.0.1:7777/focus" } },
    "broken",
    "BECKON_RELAY is set and cannot be used",
    "export BECKON_RELAY='ws+unix:///home/you/beckon.sock:/focus#TOKEN'",
  ],
  ["an alert that reached nobody", { decisions: [line({})] }, "broken", "the last alert reached nobody", "beckon test"],
]);

test("an alert that was taken after one that was not is good news", () => {
  const decisions = [
    line({}),
    line({ outcome: "delivered", reason: "unattended", channels: ["banner"] }),
    line({ outcome: "silent" }),
  ];
  expect(troubles({ ...healthy, decisions })).toEqual([]);
});

test("a mute is named with the way to end it", () => {
  expect(troubles({ ...healthy, mutedUntil: Date.now() + 60_000 })).toMatchObject([
    { level: "advice", symptom: expect.stringContaining("muted until"), paste: "beckon mute off" },
  ]);
});

test("others may read the configuration where no address of yours stands in it", () => {
  const folders = { ...healthy.folders, configFile: { path: "/c.json", state: "loose" } } as const;
  expect(troubles({ ...healthy, folders })).toEqual([]);
  const push = configWith({ alerts: { push: [{ type: "webhook", url: "https://example.org/secret" }] } });
  expect(troubles({ ...healthy, folders, config: { ...healthy.config, value: push } })).toMatchObject([
    { level: "advice", symptom: "others on this machine can read your push addresses" },
  ]);
});

test("one folder for everything is judged once", () => {
  const state = { path: "/one", state: "not-writable" } as const;
  expect(troubles({ ...healthy, folders: { ...healthy.folders, state, runtime: state } })).toHaveLength(1);
});
