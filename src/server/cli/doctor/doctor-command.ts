import { cleanTitle, printableJSON } from "../../../shared/text.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint, type Paint } from "../paint.ts";
import { checkChannels } from "./checks/check-channels.ts";
import { checkDoubles } from "./checks/check-doubles.ts";
import { checkHost } from "./checks/check-host.ts";
import { checkOurs } from "./checks/check-ours.ts";
import { checkPlugin } from "./checks/check-plugin.ts";
import { checkRunning } from "./checks/check-running.ts";
import { checkTerminals } from "./checks/check-terminals.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Level } from "./finding.ts";
import { gatherFacts } from "./gather.ts";

const checks = [checkHost, checkPlugin, checkRunning, checkTerminals, checkChannels, checkDoubles, checkOurs];

export const diagnose = (facts: Facts): Finding[] => checks.flatMap((check) => check(facts)).map(onOneLine);

const longestLine = 2_000;

/** What a finding quotes (a daemon's name, a path, a version) can neither end its line nor add another finding. */
const onOneLine = (finding: Finding): Finding => ({
  ...finding,
  symptom: line(finding.symptom),
  ...(finding.cause === undefined ? {} : { cause: line(finding.cause) }),
  ...(finding.fix === undefined ? {} : { fix: line(finding.fix) }),
  ...(finding.paste === undefined ? {} : { paste: withoutCredentials(finding.paste) }),
});

const line = (text: string): string => withoutCredentials(cleanTitle(text, longestLine));

/** An entry of opencode.json may be an address with a name and a token in it. */
const withoutCredentials = (text: string): string => text.replace(/(\b[a-z][a-z+.-]*:\/\/)[^\s/@]*@/gi, "$1…@");

/** Looks at everything and says what is wrong, why, and what to paste. Ends with 1 if something is broken. */
export async function doctorCommand({ json }: { json: boolean }, context: Context): Promise<number> {
  const { out } = context;
  const findings = diagnose(await gatherFacts(context));
  const broken = findings.filter(({ level }) => level === "broken").length;
  if (json) out.write(`${printableJSON({ version: context.version, broken, findings }, 2)}\n`);
  else out.write(doctorText(findings, createPaint(out.colour)));
  return broken > 0 ? exitCode.finding : exitCode.done;
}

const signs = { fine: "✓", advice: "!", broken: "✗" } satisfies Record<Level, string>;

export function doctorText(findings: readonly Finding[], paint: Paint): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const body = findings.map((finding) => findingText(finding, paint)).join("");
  const verdict = count("broken") > 0 ? paint.red(`${count("broken")} broken`) : paint.green("Nothing is broken");
  const some = (level: Level, words: string) => (count(level) > 0 ? `, ${count(level)} ${words}` : "");
  return `${body}\n${verdict}${some("advice", "to look at")}${some("fine", "fine")}\n`;
}

function findingText({ level, symptom, cause, fix, paste }: Finding, paint: Paint): string {
  const brush = { fine: paint.green, advice: paint.yellow, broken: paint.red }[level];
  const head = `${brush(signs[level])} ${level === "fine" ? symptom : paint.bold(symptom)}\n`;
  const why = cause === undefined ? "" : `    why  ${cause}\n`;
  const how = fix === undefined ? "" : `    fix  ${fix}\n`;
  const lines =
    paste === undefined
      ? ""
      : paste
          .split("\n")
          .map((line) => `           ${paint.cyan(line)}\n`)
          .join("");
  return head + why + how + lines;
}
