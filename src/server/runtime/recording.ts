import type { Clock } from "../../shared/clock.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { HostEvent } from "../core/event.ts";
import type { Session } from "../core/state.ts";
import type { Presence } from "../focus/presence.ts";
import { createPrivacyFilter } from "../privacy/remove-private-text.ts";
import type { RawInput } from "./raw-input.ts";
import { createRecordedTerminals } from "./recorded-terminals.ts";

export type RecordingDeps = {
  clock: Clock;
  line: "v1" | "v2";
  platform: string;
  directories(): readonly string[];
  config(): unknown;
  mutedUntil(): number | undefined;
  sessions(): Iterable<Session>;
  presence(): Presence;
};

/** Longer texts say nothing a decision is made of, and a frame to an observer has an end. */
const longestText = 2_000;
const longestLine = 900_000;
const rememberedEvents = 1_000;
const platforms = ["linux", "darwin", "win32", "wsl"];

/** Who records, and what of each line is not told. Equal titles stay equal within one recording, so each has its own. */
type Listener = { hear(line: string): void; withoutPrivateText: ReturnType<typeof createPrivacyFilter> };

/**
 * Trace lines of a live run (docs/trace.md) for whoever records, without private text: whoever holds the relay's token may
 * ask for them. Nothing is made or kept while nobody does.
 */
export function createRecording(deps: RecordingDeps) {
  const { clock } = deps;
  const listeners = new Set<Listener>();
  const seen = new Set<string>();
  const heardAt = new Map<string, number>();
  const terminals = createRecordedTerminals(clock, (line) => tell(line));
  let startedAt = 0;

  const now = (): number => Math.max(0, Math.round(clock.now() - startedAt));

  function tell(line: object, t = now(), to: Iterable<Listener> = listeners): void {
    const raw = JSON.stringify({ t, ...line }, shortened);
    const whole: unknown = raw.length > longestLine ? undefined : JSON.parse(raw); // what the host gave may be no plain data
    if (!isRecord(whole)) return;
    for (const { hear, withoutPrivateText } of [...to]) hear(JSON.stringify(withoutPrivateText(whole)));
  }

  /** On 2.x every instance of the plugin hears every event. */
  function isRepeated(id: string | undefined): boolean {
    if (id === undefined) return false;
    if (seen.has(id)) return true;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > rememberedEvents && oldest !== undefined) seen.delete(oldest);
    return false;
  }

  function begin(): void {
    startedAt = clock.now();
    seen.clear();
    heardAt.clear();
  }

  /** What was so before: the configuration, a mute, sessions. */
  function opening(): object[] {
    const muted = (deps.mutedUntil() ?? 0) - clock.wall();
    return [
      {
        kind: "meta",
        format: 1,
        line: deps.line,
        directory: deps.directories()[0] ?? "/",
        config: deps.config(),
        platform: platforms.includes(deps.platform) ? deps.platform : "linux",
        startedAt: new Date(clock.wall()).toISOString(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      ...(muted > 0 ? [{ kind: "mute", ms: Math.round(muted) }] : []),
      ...[...deps.sessions()].map((session) => sessionLine(session, deps.line)),
    ];
  }

  return {
    /** `event`: what the raw thing was read as. An answer holds from the last word about its session on. */
    overhear(raw: RawInput, event?: HostEvent): void {
      if (listeners.size === 0 || isRepeated(event?.id)) return;
      if (event !== undefined) heardAt.set(event.sessionID, now());
      const line = lineOf(raw);
      if (line !== undefined) tell(line, "sessionID" in raw ? (heardAt.get(raw.sessionID) ?? 0) : now());
    },
    called(tool: string, args: object, sessionID: string): void {
      if (listeners.size > 0) tell({ kind: "call", tool, args, sessionID });
    },
    presenceChanged(): void {
      if (listeners.size > 0) terminals.follow(deps.presence());
    },
    /** Returns its own end. */
    start(hear: (line: string) => void): () => void {
      const listener: Listener = { hear, withoutPrivateText: createPrivacyFilter() };
      if (listeners.size === 0) begin();
      for (const line of opening()) tell(line, 0, [listener]);
      listeners.add(listener);
      terminals.forget();
      terminals.follow(deps.presence());
      return () => void listeners.delete(listener);
    },
  };
}

const shortened = (_key: string, value: unknown): unknown =>
  typeof value === "string" && value.length > longestText ? value.slice(0, longestText) : value;

function lineOf(raw: RawInput): object | undefined {
  switch (raw.kind) {
    case "event":
    case "hook":
      return raw;
    case "session":
      return { kind: "session", session: raw.session };
    case "missing":
      return { kind: "session", sessionID: raw.sessionID, missing: true };
    case "messages":
      return Array.isArray(raw.messages) ? raw : undefined;
  }
}

function sessionLine({ id, title, parentID, directory }: Session, line: "v1" | "v2"): object {
  const place = line === "v1" ? { directory } : { location: { directory } };
  return { kind: "session", session: { id, title, ...(typeof parentID === "string" ? { parentID } : {}), ...place } };
}
