import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "../host/child.ts";

export type DaemonName = "dunst" | "notification-daemon" | "xfce4-notifyd";

export const daemonPrograms = {
  dunst: "dunst",
  "notification-daemon": "/usr/lib/notification-daemon/notification-daemon",
  "xfce4-notifyd": "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
} as const satisfies Record<DaemonName, string>;

/** Nothing merged or timed out by surprise, and a script that runs only for what reaches the screen. */
const dunstrc = (hook: string) => `[global]
    width = 420
    height = 300
    origin = top-right
    offset = 20x20
    font = DejaVu Sans 11
    stack_duplicates = false
    idle_threshold = 0
    history_length = 200
    notification_limit = 0
    markup = full
    always_run_script = false
    show_age_threshold = -1
    indicate_hidden = no
[urgency_low]
    timeout = 0
[urgency_normal]
    timeout = 0
[urgency_critical]
    timeout = 0
[record]
    summary = "*"
    script = ${hook}
`;

/** Starts the daemon; dunst writes what it displays to `displayedFile`, as `id NUL summary NUL body NUL`. */
export function startDaemon(name: DaemonName, folder: string, env: Record<string, string>): Child {
  if (name !== "dunst") return startChild(daemonPrograms[name], [], { cwd: folder, env });
  const hook = join(folder, "hook");
  const printf = `printf '%s\\0%s\\0%s\\0' "$DUNST_ID" "$DUNST_SUMMARY" "$DUNST_BODY"`;
  writeFileSync(hook, `#!/bin/sh\n${printf} >>"${displayedFile(folder)}"\n`);
  chmodSync(hook, 0o755);
  const config = join(folder, "dunstrc");
  writeFileSync(config, dunstrc(hook));
  return startChild("dunst", ["-conf", config], { cwd: folder, env });
}

export const displayedFile = (folder: string): string => join(folder, "displayed");
