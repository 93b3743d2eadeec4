import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { atExit } from "../shared/at-exit.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { guarded, tellBugsTo } from "../shared/guard.ts";
import { readRelayAddress, relayDirectories, stateDirectory } from "../shared/rendezvous.ts";
import { askForOsc99 } from "./ask-for-osc99.ts";
import { startCompanion } from "./companion.ts";
import { guardedHost } from "./guarded-host.ts";
import { attempt } from "./hosts/attempt.ts";
import { writeToTerminal } from "./hosts/screen.ts";
import { inTmux } from "./in-tmux.ts";
import { recall } from "./memory.ts";
import { openSocket } from "./open-socket.ts";
import type { RelayAddress } from "./relay-client.ts";
import { createTerminalAlerts } from "./terminal-alerts.ts";
import type { TerminalHost } from "./terminal-host.ts";
import { createTerminalLog } from "./terminal-log.ts";
import { isPaneShown, terminalAroundTmux, tmuxClient, tmuxSocket, tmuxTellsFocus } from "./tmux.ts";

/**
 * Starts the companion in this process. `terminal`: an object of the host's that lives as long as the terminal does, so that a
 * reload finds what the last load knew. The end is also run at the process' exit, whoever forgets it.
 */
export function startInProcess(given: TerminalHost, terminal: object = globalThis): () => void {
  const clock = systemClock;
  const { env } = process;
  const place = stateDirectory(env, homedir());
  tellBugsTo(createTerminalLog({ stateDir: place, pid: process.pid, wall: clock.wall }));
  const memory = recall(globalThis, terminal, () => randomBytes(9).toString("hex"), {
    now: clock.now(),
    wall: clock.wall(),
  });
  guarded("an earlier load", () => memory.end?.())(); // one that nobody ended, perhaps of another copy of this code
  const tmux = tmuxSocket(env);
  const tty = terminalPath();
  const host = inItsTmux(guardedHost(given), clock, tty);
  const osc99 = askForOsc99(host.screen);
  const stop = startCompanion({
    clock,
    host,
    memory,
    name: terminalName(tty),
    folders: relayDirectories(env, homedir()),
    tunnelled: tunnelled(env.BECKON_RELAY),
    openSocket,
    dice: Math.random,
    alerts: createTerminalAlerts({
      env,
      screen: host.screen,
      answeredOsc99: osc99.answered,
      askTmux: async () => (tmux === undefined ? undefined : terminalAroundTmux(tmux, env.TMUX_PANE)),
    }),
    bringForward: async () => {
      const [{ bringForward }, { waysForward }, { ancestorsOf }] = await Promise.all([
        import("./bring-forward.ts"),
        import("./ways-forward.ts"),
        import("./ancestors.ts"),
      ]);
      // The processes above a pane lead to the server, not to the terminal that shows it.
      const inTerminal = tmux === undefined ? process.pid : await tmuxClient(tmux, env.TMUX_PANE);
      return bringForward(
        waysForward(env, process.platform, inTerminal === undefined ? [] : ancestorsOf(inTerminal)),
        env,
      );
    },
    writeLast: writeToTerminal,
  });
  let over = false;
  const end = guarded("end", () => {
    if (over) return; // its goodbye would be taken for the next load's
    over = true;
    noExit();
    stop();
    osc99.forget();
  });
  const noExit = atExit(end);
  memory.end = end;
  return end;
}

function inItsTmux(host: TerminalHost, clock: Clock, tty: string | undefined): TerminalHost {
  const { env } = process;
  const [socket, pane] = [tmuxSocket(env), env.TMUX_PANE];
  if (socket === undefined) return host;
  return inTmux(host, {
    clock,
    tellsFocus: () => tmuxTellsFocus(socket),
    isShown: async () => !pane || isPaneShown(socket, pane, tty),
  });
}

function tunnelled(text: string | undefined): RelayAddress[] {
  const address = readRelayAddress(text);
  return address === undefined ? [] : [{ id: "tunnel", ...address }];
}

/** On Linux. */
const terminalPath = (): string | undefined => attempt(() => readlinkSync("/proc/self/fd/0"));

/** Such as `pid 4711 on pts/3`. */
function terminalName(path: string | undefined): string {
  const tty = path?.replace("/dev/", "");
  return tty === undefined || !/^[a-z0-9/]{1,40}$/.test(tty) ? `pid ${process.pid}` : `pid ${process.pid} on ${tty}`;
}
