import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildCommand, type Ran, runIn } from "../server/cli/built-command.ts";
import { createBench, repository } from "../server/cli/command-bench.ts";

/** Programs a page may name that must not really act here. Each takes anything and does nothing. */
const standIns = [
  "npm",
  "git",
  "sudo",
  "tmux",
  "dunst",
  "ssh",
  "osascript",
  "systemctl",
  "code",
  "gsettings",
  "makoctl",
];

/** A home in which the pages' commands can be tried: the real beckon, a stand-in for what is not ours. */
export async function createSandbox() {
  const command = await buildCommand();
  return {
    remove: () => command.remove(),
    /** Runs one line as a person would, in a fresh home. */
    async run(line: string): Promise<Ran> {
      using bench = createBench({ TERM: "dumb" });
      for (const name of standIns) bench.program(name, "exit 0");
      bench.program("opencode", 'if [ "$1" = --version ]; then echo 1.18.33; fi');
      bench.program("beckon", `exec '${process.execPath}' '${command.main}' "$@"`);
      bench.program("npx", 'case "$1" in opencode-beckon|beckon) shift; exec beckon "$@";; *) exit 127;; esac');
      bench.program("../home/project/.ci/run", "exit 0");
      cpSync(join(repository, "tests/traces/v1/O01.jsonl"), join(bench.cwd, "tests/traces/v1/O01.jsonl"));
      mkdirSync(join(bench.home, "src/opencode-beckon"), { recursive: true });
      writeFileSync(
        join(bench.cwd, "trouble.jsonl"),
        '{"t":0,"kind":"meta","format":1,"line":"v1","directory":"/p"}\n',
      );
      bench.write(".config/opencode/opencode-notifier.json", "{}");
      bench.write(".config/opencode/kdco-notify.json", "{}");
      bench.write(".config/opencode/smart-voice-notify.jsonc", "{}");
      const env = { ...bench.env, PATH: `${join(bench.root, "bin")}:/usr/bin:/bin` };
      return await runIn(bench.cwd, env, "sh", ["-c", line]);
    },
  };
}

/** The command lines of a block: continued lines are one, comments are none. */
export const commandLines = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
