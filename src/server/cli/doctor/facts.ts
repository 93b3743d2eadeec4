import type { Config } from "../../config/schema.ts";
import type { Platform } from "../../delivery/platform.ts";
import type { JournalChange, JournalEntry } from "../../journal/read-journal.ts";
import type { DaemonFacts } from "../desktop/daemon-facts.ts";
import type { Host } from "../host-version.ts";
import type { AnnouncedRelay } from "../relays/find-relays.ts";
import type { Running } from "../status/relay-status.ts";
import type { FolderFacts } from "./gather-folders.ts";
import type { HostFileFacts } from "./gather-host-files.ts";
import type { TmuxFacts } from "./gather-tmux.ts";

/** Everything the checks look at: gathered once, plain data, so that each check is a function of it. */
export type Facts = {
  platform: Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Of this command. */
  version: string;
  host: Host | undefined;
  /** Processes called opencode; undefined where the system does not tell. */
  hostProcesses: readonly number[] | undefined;
  files: readonly HostFileFacts[];
  relays: readonly AnnouncedRelay[];
  running: readonly Running[];
  tmux: TmuxFacts | undefined;
  hasDesktop: boolean;
  daemon: DaemonFacts | undefined;
  /** Programs of ours that are on PATH. */
  programs: ReadonlySet<string>;
  config: { path: string; value: Config; problems: readonly string[] };
  folders: FolderFacts;
  /** Epoch ms. */
  mutedUntil: number | undefined;
  decisions: readonly JournalEntry[];
  /** What the model changed in the settings, oldest first. */
  changes: readonly JournalChange[];
  /** Why they cannot be read. */
  journalProblem: string | undefined;
};
