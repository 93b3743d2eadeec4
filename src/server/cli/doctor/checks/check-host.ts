import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";

const check = "opencode";
/** The oldest 1.x whose loader takes our doors. */
const oldest = { major: 1, minor: 18 };

/** Which opencode a person starts, and whether it is one we work with. */
export function checkHost({ host, running, env }: Facts): Finding[] {
  if (host === undefined) return running.length > 0 ? [] : [missing];
  const { version, path } = host;
  const findings = [isTooOld(version) ? tooOld(version, path) : fine(check, `opencode ${version} (${path})`)];
  if (env.OPENCODE_PURE) findings.push(pure);
  return findings;
}

function isTooOld(version: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  if (major === undefined || minor === undefined || major === 0) return false; // a development build
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

const missing: Finding = {
  check,
  level: "broken",
  symptom: "no opencode found",
  cause: "there is no program called opencode on PATH, nor in ~/.opencode/bin",
  fix: "install opencode, or run doctor in a shell in which opencode starts",
  paste: "npm install --global opencode-ai",
};

const tooOld = (version: string, path: string): Finding => ({
  check,
  level: "broken",
  symptom: `opencode ${version} is too old for beckon`,
  cause: `beckon needs opencode 1.18 or newer; found ${path}`,
  fix: "update opencode, then start it again",
  paste: "opencode upgrade",
});

const pure: Finding = {
  check,
  level: "broken",
  symptom: "opencode loads no plugins at all",
  cause: "OPENCODE_PURE is set in this environment",
  fix: "unset it and start opencode again",
  paste: "unset OPENCODE_PURE",
};
