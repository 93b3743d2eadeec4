import { createGuard } from "../../shared/guard.ts";
import { silentLog } from "../../shared/log.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { createConfigReader } from "../config/reader.ts";
import type { Decision } from "../core/decision.ts";
import { chooseLocale, wordingFor } from "../core/wording/locale.ts";
import { notify } from "../delivery/notify.ts";
import { isLastUsedBySsh } from "../focus/presence.ts";
import { lines } from "../hosts/lines.ts";
import { createDecider } from "../runtime/decider.ts";
import { createTools } from "../tools/create-tools.ts";
import { createConfigText } from "./config-text.ts";
import { parseTrace, type TraceError } from "./parse-trace.ts";
import { createStandInChannels } from "./stand-in-channels.ts";
import { createStandInHost } from "./stand-in-host.ts";
import { createTerminals } from "./terminals.ts";
import type { Meta, TraceLine } from "./trace.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/** After the last line the clock runs on for this long at most. */
const longestTailMs = 24 * 60 * 60_000;

/** Runs a trace through everything that decides, and gives the decisions in time order. Never sleeps. */
export async function replay(source: string): Promise<Result<Decision[], TraceError>> {
  const trace = parseTrace(source);
  if (!trace.ok) return fail(trace.error);
  const stage = createStage(trace.value.meta);
  let endsAt = 0;
  for (const line of trace.value.lines) {
    await stage.clock.advance(line.t);
    endsAt = line.t;
    if (line.kind === "end") return ok(stage.decisions());
    stage.apply(line);
  }
  await stage.clock.drain(endsAt + longestTailMs);
  return ok(stage.decisions());
}

/** Everything real that decides; the clock, the host, the terminals and the channels are stood in for. */
function createStage(meta: Meta) {
  const startedAt = Date.parse(meta.startedAt);
  const clock = createVirtualClock(startedAt);
  const line = lines[meta.line];
  const host = createStandInHost(clock, line);
  const decided: Decision[] = [];
  const reader = createConfigReader({ log: silentLog });
  const file = createConfigText(meta.config, reader.take);
  const config = file.store(reader);
  let mutedUntil: number | undefined;
  const terminals = createTerminals(clock, () => decider.dispatch({ kind: "presence" }));
  const { channels, behave } = createStandInChannels(clock, terminals.presence);

  const decider = createDecider({
    clock,
    log: silentLog,
    config: reader.current,
    wording: ({ locale }) => wordingFor(chooseLocale(locale, {})),
    presence: terminals.presence,
    mutedUntil: () => mutedUntil,
    timeZone: meta.timeZone,
    channels,
    ...(channels.push === undefined ? {} : { push: channels.push }),
    host: host.queries,
    directory: meta.directory,
    record: (decision) => void decided.push(decision),
  });
  const notifyDeps = {
    channels,
    isBehindSsh: () => isLastUsedBySsh(terminals.presence(), { now: clock.now(), wall: clock.wall() }),
    platform: meta.platform,
    now: clock.now,
    record: (decision: Decision) => void decided.push(decision),
    guard: createGuard(silentLog),
  };
  const tools = createTools({
    config,
    changed() {}, // what stands in a journal beside the decisions is no part of a replay
    notify: (request) => notify(request, { ...notifyDeps, terminal: reader.current().alerts.terminal }),
    statusText: () => "replay",
  });

  function apply(step: TraceLine): void {
    switch (step.kind) {
      case "event": {
        const event = line.translate(step.event);
        if (event !== undefined) decider.dispatch({ kind: "host", event });
        return;
      }
      case "hook": {
        const event = line.translateHook(step.hook, step.input, step.output);
        if (event !== undefined) decider.dispatch({ kind: "host", event });
        return;
      }
      case "session":
        return host.describeSession(step);
      case "messages":
        return host.describeMessages(step);
      case "tui":
        return terminals.apply(step);
      case "config":
        return file.write(step.text);
      case "channel":
        return behave(step.channel, step.result);
      case "sleep":
        return clock.sleep(step.ms);
      case "mute":
        mutedUntil = step.off === true ? undefined : clock.wall() + (step.ms ?? 0);
        return;
      case "call":
        tools
          .find(({ name }) => name === step.tool)
          ?.run(step.args, { sessionID: step.sessionID })
          .catch(() => {});
        return;
      case "pending":
      case "end":
        return;
    }
  }

  const decisions = (): Decision[] => decided.toSorted((a, b) => a.at - b.at);
  return { clock, apply, decisions };
}
