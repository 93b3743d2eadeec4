import { readRelayAddress } from "../../../../shared/rendezvous.ts";
import { cleanTitle } from "../../../../shared/text.ts";
import { type Config, defaultConfig } from "../../../config/schema.ts";
import { valueAt } from "../../../config/show.ts";
import { journalPath } from "../../../journal/journal-path.ts";
import type { JournalChange } from "../../../journal/read-journal.ts";
import { shellWord } from "../../shell-word.ts";
import { shortPath } from "../../short-path.ts";
import { changeWords } from "../../why/why-line.ts";
import { decisionWords } from "../../why-words.ts";
import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";
import type { PathFact } from "../gather-folders.ts";

/** Our own files: configuration, folders, mute, journal. */
export const checkOurs = (facts: Facts): Finding[] => [
  ...checkConfig(facts),
  ...checkFolders(facts),
  ...checkTunnel(facts),
  ...checkMute(facts),
  ...checkChanges(facts),
  ...checkJournal(facts),
  ...checkLogs(facts),
];

function checkConfig({ config, folders, home }: Facts): Finding[] {
  const path = shortPath(config.path, home);
  const check = "config";
  if (config.problems.length > 0) {
    return config.problems.map((problem) => ({
      check,
      level: "broken",
      symptom: `${path} is not in force`,
      cause: problem,
      fix: "repair that; until then the last valid settings hold, or the defaults",
      paste: "beckon config check",
    }));
  }
  const { state } = folders.configFile;
  const words = state === "missing" ? "no file, the defaults hold" : "valid";
  const isOpen = state === "loose" && config.value.alerts.push.length > 0;
  const loose: Finding = {
    check,
    level: "advice",
    symptom: "others on this machine can read your push addresses",
    cause: `${path} has loose permissions`,
    fix: "make it yours alone",
    paste: `chmod 600 ${shellWord(config.path)}`,
  };
  return [fine(check, `${path}: ${words}`), ...(isOpen ? [loose] : [])];
}

function checkFolders({ folders, home }: Facts): Finding[] {
  const { state, runtime, systemRuntime } = folders;
  const findings = [
    ...checkRuntime(runtime, systemRuntime, state, home),
    ...folderFinding(state, home, "BECKON_STATE_DIR", "decisions are not written down, and mute does not work"),
  ];
  return findings.length > 0 ? findings : [fine("folders", `${shortPath(state.path, home)} is yours and writable`)];
}

/** Where the login's own folder is wrong, nothing can be said of ours in it. */
function checkRuntime(runtime: PathFact, system: PathFact | undefined, state: PathFact, home: string): Finding[] {
  if (system !== undefined && ["missing", "foreign", "not-a-folder"].includes(system.state)) {
    return [
      {
        check: "folders",
        level: "broken",
        symptom: "XDG_RUNTIME_DIR does not lead to a folder of yours",
        cause: `${system.path} ${stateWords[system.state]}; the session bus is looked for there, too`,
        fix: "set it to the folder your login made, and start opencode from such a shell",
        paste: "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
      },
    ];
  }
  if (runtime.path === state.path) return [];
  return folderFinding(runtime, home, "BECKON_RUNTIME_DIR", "terminals may not find a running opencode");
}

const stateWords = {
  missing: "does not exist",
  good: "is good",
  foreign: "belongs to another user",
  loose: "may be read by others",
  "not-a-folder": "is not a folder",
  "not-writable": "cannot be written",
  "read-only": "lies on a disk that is mounted read-only",
} satisfies Record<PathFact["state"], string>;

/** `variable` names another folder instead. */
function folderFinding(fact: PathFact, home: string, variable: string, consequence: string): Finding[] {
  const { path, state, above: at = path } = fact;
  if (state === "good" || state === "missing") return [];
  const word = shellWord(at);
  const repairs = {
    loose: `chmod 700 ${word}`,
    foreign: `sudo chown -R "$USER" ${word}`,
    "not-writable": `chmod u+rwx ${word}`,
    "not-a-folder": `mv ${word} ${shellWord(`${at}.old`)}`,
    "read-only": `export ${variable}=/tmp/opencode-beckon-$(id -u)`,
  } satisfies Record<typeof state, string>;
  const isReadOnly = state === "read-only";
  return [
    {
      check: "folders",
      level: state === "loose" ? "advice" : "broken",
      symptom: state === "loose" ? "others on this machine can read what beckon writes down" : consequence,
      cause: `${shortPath(at, home)} ${stateWords[state]}${at === path ? "" : `, so that ${shortPath(path, home)} cannot be made`}`,
      fix: isReadOnly ? "name another folder, wherever opencode is started, or mount it writable" : "repair that",
      paste: repairs[state],
    },
  ];
}

function checkTunnel({ env }: Facts): Finding[] {
  if (!env.BECKON_RELAY || readRelayAddress(env.BECKON_RELAY) !== undefined) return [];
  return [
    {
      check: "relay",
      level: "broken",
      symptom: "BECKON_RELAY is set and cannot be used",
      cause:
        "it is not an address, ws+unix:///path/to.sock:/focus or ws://host:port/focus, with # and a token behind it",
      fix: "give both, from the descriptor file on the other machine",
      paste: "export BECKON_RELAY='ws+unix:///home/you/beckon.sock:/focus#TOKEN'",
    },
  ];
}

function checkMute({ mutedUntil }: Facts): Finding[] {
  if (mutedUntil === undefined) return [];
  return [
    {
      check: "mute",
      level: "advice",
      symptom: `alerts are muted until ${new Date(mutedUntil).toLocaleString()}`,
      cause: "somebody muted them, here or in a terminal",
      fix: "end it when you want to be called again",
      paste: "beckon mute off",
    },
  ];
}

const mostChanges = 20;

/** What the model changed in the settings: of each setting the last time. What holds no longer is only told. */
function checkChanges({ changes, config }: Facts): Finding[] {
  const newest = [...new Map(changes.map((change) => [change.change, change])).values()];
  return newest.slice(-mostChanges).map((change) => {
    const check = "changes";
    const when = `${new Date(change.time).toLocaleString()}, in session ${change.sessionID}`;
    const symptom = cleanTitle(changeWords(change), longestChange);
    if (!holds(change, config.value)) return fine(check, `${symptom} (${when}); it is set otherwise by now`);
    return {
      check,
      level: "advice",
      symptom,
      cause: `it called beckon_config_set (${when})`,
      fix: "if that is not what you want, take the setting back to its default",
      paste: `beckon config set ${shellWord(change.change)} null`,
    };
  });
}

const longestChange = 400;

/** A value that was too long for its line is text, and cannot be compared. */
function holds({ change, value }: JournalChange, config: Config): boolean {
  const path = change.split(".");
  const now = valueAt(config, path);
  if (typeof value === "string" && typeof now !== "string") return true;
  return JSON.stringify(value ?? valueAt(defaultConfig, path) ?? null) === JSON.stringify(now ?? null);
}

function closedJournal(cause: string, { state }: Facts["folders"]): Finding {
  const path = journalPath(state.path);
  return {
    check: "journal",
    level: "broken",
    symptom: "decisions are not written down: beckon why knows none",
    cause,
    fix: "move it away; a new one begins with the next decision (it is another user's after a sudo opencode)",
    paste: `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`,
  };
}

/** The newest alert that was to reach somebody says whether the way is open. */
function checkJournal({ decisions, home, folders, journalProblem }: Facts): Finding[] {
  if (journalProblem !== undefined && folders.state.state === "good") return [closedJournal(journalProblem, folders)];
  const last = decisions.findLast(({ outcome }) => outcome === "delivered" || outcome === "failed");
  const path = shortPath(folders.state.path, home);
  if (last === undefined) return [fine("journal", `no alert has been due yet (${path})`)];
  const when = new Date(last.time).toLocaleString();
  if (last.outcome === "delivered")
    return [fine("journal", `the last alert was taken by ${last.channels.join(", ")} (${when})`)];
  return [
    {
      check: "journal",
      level: "broken",
      symptom: "the last alert reached nobody",
      cause: `${last.title ?? last.sessionID}, ${when}: ${decisionWords(last.outcome, last.reason)}`,
      fix: "see what each channel says",
      paste: "beckon test",
    },
  ];
}

/** Where a maintainer would look, the server part's log first. */
function checkLogs({ folders, home }: Facts): Finding[] {
  const there = folders.logs.filter(({ state }) => state !== "missing").map(({ path }) => shortPath(path, home));
  const nothing = "nothing has gone wrong so far: no beckon.log, no terminal.log";
  return [fine("log", there.length === 0 ? nothing : `what went wrong stands in ${there.join(" and ")}`)];
}
