import { unixPath } from "../../../../shared/rendezvous.ts";
import type { RelayProblem } from "../../relays/find-relays.ts";
import { shellWord } from "../../shell-word.ts";
import { shortPath } from "../../short-path.ts";
import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";

const check = "running";

/** Whether an opencode runs with the plugin in it, and which version of it. */
export function checkRunning(facts: Facts): Finding[] {
  const { running, relays } = facts;
  const unusable = relays.flatMap(({ path, problem }) =>
    problem === undefined ? [] : relayProblem(path, problem, facts.home),
  );
  const judged = running.flatMap((one) => [judge(one, facts), ...judgeDoor(one, facts)]);
  return [...(running.length === 0 ? [nobody(facts)] : judged), ...unusable];
}

/** A port is what Windows has. Elsewhere it is second best: whoever has an account here can knock at it. */
function judgeDoor({ descriptor }: Facts["running"][number], { platform, env }: Facts): Finding[] {
  const isMeant = platform === "win32" || env.BECKON_TRANSPORT === "tcp";
  if (isMeant || unixPath(descriptor.url) !== undefined) return [];
  return [
    {
      check,
      level: "advice",
      symptom: `opencode with pid ${descriptor.pid} listens for its terminals on a port, not at a unix socket`,
      cause:
        "every user of this machine can knock there (and needs a token to get in): it was started with BECKON_TRANSPORT=tcp, by an older beckon, or found no folder for a socket; beckon.log says which",
      fix: "start that opencode again, where its state folder or /tmp can be written",
    },
  ];
}

function judge(running: Facts["running"][number], { version }: Facts): Finding {
  const { pid } = running.descriptor;
  if ("failure" in running) {
    if (running.noLibrary) return withoutLibrary(pid);
    return {
      check,
      level: "broken",
      symptom: `opencode with pid ${pid} announces itself and does not answer`,
      cause: running.failure,
      fix: "start that opencode again",
    };
  }
  const { report } = running;
  if (report.version !== version) {
    return {
      check,
      level: "advice",
      symptom: `opencode with pid ${pid} runs beckon ${report.version}, this command is ${version}`,
      cause: "opencode loads a plugin when it starts, and keeps packages it once fetched",
      fix: "start that opencode again; if it stays, see «Updating» in docs/install.md",
    };
  }
  const { length } = report.terminals;
  return fine(check, `opencode with pid ${pid} runs beckon ${version}; terminals connected: ${length}`);
}

const withoutLibrary = (pid: number): Finding => ({
  check,
  level: "advice",
  symptom: `opencode with pid ${pid} has beckon in it, and cannot be asked how it is`,
  cause: "ws, by which this command speaks to it, is not installed beside the command",
  fix: "install beckon with its dependencies",
  paste: "npm install --global opencode-beckon",
});

function nobody({ hostProcesses = [] }: Facts): Finding {
  if (hostProcesses.length === 0) {
    return {
      check,
      level: "advice",
      symptom: "no opencode is running",
      cause: "what only shows while it runs was not looked at",
      fix: "start opencode and run doctor again",
    };
  }
  return {
    check,
    level: "advice",
    symptom: `opencode runs (pid ${hostProcesses.slice(0, 5).join(", ")}) without beckon in it`,
    cause: "it was started before beckon was listed, or loads it from elsewhere, or serves and has had no session yet",
    fix: "start opencode again and open a session",
  };
}

function relayProblem(path: string, problem: RelayProblem, home: string): Finding[] {
  const where = shortPath(path, home);
  switch (problem) {
    case "dead":
      return []; // the next relay tidies it up
    case "loose":
      return [
        {
          check,
          level: "broken",
          symptom: "terminals refuse to connect to a running opencode",
          cause: `${where} may be read by others`,
          fix: "make it yours alone",
          paste: `chmod 600 ${shellWord(path)}`,
        },
      ];
    case "foreign":
      return [
        {
          check,
          level: "advice",
          symptom: "a relay of another user lies in your folder",
          cause: `${where} belongs to somebody else; it is ignored`,
          fix: "take it out",
          paste: `rm ${shellWord(path)}`,
        },
      ];
    case "unreadable":
      return [
        {
          check,
          level: "advice",
          symptom: "a relay announces itself in a way this version cannot read",
          cause: `${where} is of another version`,
          fix: "start every opencode again after an update",
        },
      ];
  }
}
