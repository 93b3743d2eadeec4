import { shortPath } from "../../short-path.ts";
import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";
import { entriesOfOurs } from "./check-plugin.ts";

const check = "focus";

/** Whether beckon can know where you look: the terminal part, each terminal's focus, and what lies in between. */
export function checkTerminals(facts: Facts): Finding[] {
  return [
    ...checkTerminalPart(facts),
    ...checkReports(facts),
    ...checkTmux(facts),
    ...checkZellij(facts),
    ...checkSsh(facts),
  ];
}

function checkTerminalPart({ host, files, home, running }: Facts): Finding[] {
  if (host?.line !== "1") return []; // 2.x brings it with the plugin
  if (entriesOfOurs(files, ["server", "loose"]).length === 0) return []; // one fix for both
  const [listed] = entriesOfOurs(files, ["terminal"]);
  if (listed !== undefined) return [fine(check, `terminal part listed in ${shortPath(listed.path, home)}`)];
  if (running.some((one) => "report" in one && one.report.terminals.length > 0)) return [];
  return [
    {
      check,
      level: "broken",
      symptom: "beckon does not know where you look: every alert is delivered",
      cause: "no tui.json lists the terminal part; opencode 1.x does not take it from opencode.json",
      fix: "list it, then start opencode again",
      paste: "beckon install --line 1",
    },
  ];
}

function checkReports({ running, tmux }: Facts): Finding[] {
  const terminals = running.flatMap((one) => ("report" in one ? one.report.terminals : []));
  return terminals.map(({ name, focus }) => {
    if (focus !== "unknown") return fine(check, `terminal ${name} reports its focus (${focus})`);
    const inTmux = tmux?.focusEvents === false;
    return {
      check,
      level: "advice" as const,
      symptom: `terminal ${name} never told whether it has the focus, so it silences nothing`,
      cause: inTmux ? "tmux passes no focus on" : "it has not lost or gained the focus yet, or cannot tell",
      fix: inTmux
        ? "see tmux below"
        : "go to another window and back; if that changes nothing, see the list of terminals in docs/focus.md",
    };
  });
}

function checkTmux({ tmux }: Facts): Finding[] {
  if (tmux === undefined) return [];
  const findings: Finding[] = [];
  if (tmux.focusEvents === false) {
    findings.push({
      check: "tmux",
      level: "broken",
      symptom: "tmux does not tell opencode when you go to another pane or window",
      cause: "its option focus-events is off, as it comes",
      fix: "switch it on now, and in ~/.tmux.conf for the next time; then detach and attach again: only then does tmux ask",
      paste: "tmux set-option -g focus-events on\necho 'set -g focus-events on' >> ~/.tmux.conf",
    });
  } else if (tmux.focusEvents === true) findings.push(fine("tmux", `tmux ${tmux.version} passes focus on`));
  if (tmux.passthrough === false) {
    findings.push({
      check: "tmux",
      level: "advice",
      symptom: "alerts raised by the terminal itself do not get through tmux",
      cause: "its option allow-passthrough is off, as it comes; it matters over ssh and without a desktop",
      fix: "switch it on now, and in ~/.tmux.conf for the next time",
      paste: "tmux set-option -g allow-passthrough on\necho 'set -g allow-passthrough on' >> ~/.tmux.conf",
    });
  }
  return findings;
}

function checkZellij({ env }: Facts): Finding[] {
  if (!env.ZELLIJ) return [];
  return [
    {
      check: "zellij",
      level: "advice",
      symptom: "zellij tells about panes, not about its tabs",
      cause: "a change of tab gives no focus event; before August 2026 neither does another window",
      fix: "use a zellij of August 2026 or newer, and one tab for opencode; or let nothing be held back",
      paste: "beckon config set alerts.focus.suppress none",
    },
  ];
}

function checkSsh({ env, running }: Facts): Finding[] {
  if (!env.SSH_CONNECTION && !env.SSH_TTY) return [];
  const attached = running.some((one) => "report" in one && one.report.terminals.length > 0);
  return [
    {
      check: "ssh",
      level: "advice",
      symptom: "this machine's desktop is not where you sit",
      cause: attached
        ? "you are here by ssh; the terminal opencode runs in raises the alert instead"
        : "you are here by ssh, and no terminal part is connected that could raise the alert where you are",
      fix: "use a terminal that shows notifications (docs/channels.md), or have yourself called by push",
    },
  ];
}
