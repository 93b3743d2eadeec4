import type { Line } from "../../install/plan.ts";
import { shellWord } from "../../shell-word.ts";
import { shortPath } from "../../short-path.ts";
import type { Facts } from "../facts.ts";
import { type Finding, fine } from "../finding.ts";
import type { EntryFact, HostFileFacts } from "../gather-host-files.ts";

const check = "plugin";
type Listed = EntryFact & { path: string; role: HostFileFacts["role"] };

/** Whether opencode is told to load the plugin: once, under the key it reads, from where it is. */
export function checkPlugin(facts: Facts): Finding[] {
  const { files, home, host } = facts;
  const broken = files.flatMap(({ path, isJSON, unreadable }) => {
    if (unreadable !== undefined) return [notReadable(shortPath(path, home), unreadable)];
    return isJSON ? [] : [notJSON(shortPath(path, home))];
  });
  const listed = entriesOfOurs(files, ["server", "loose"]);
  const wrong = listed.flatMap((entry) => targetFinding(entry, home, host?.line));
  return [...broken, ...listing(listed, facts), ...wrong, ...switchedOff(facts)];
}

export const entriesOfOurs = (files: readonly HostFileFacts[], roles: readonly HostFileFacts["role"][]): Listed[] =>
  files
    .filter(({ role }) => roles.includes(role))
    .flatMap(({ path, role, entries }) =>
      entries.filter(({ ours }) => ours).map((entry) => ({ ...entry, path, role })),
    );

function listing(listed: readonly Listed[], { host, home }: Facts): Finding[] {
  const [first] = listed;
  if (first === undefined) return [notListed];
  const keys = new Set(listed.filter(({ role }) => role === "server").map(({ key }) => key));
  if (host?.line === "1" && keys.has("plugins") && !keys.has("plugin") && listed.length === 1)
    return [wrongKey(first, home)];
  if (listed.length > 1) return [doubled(listed, home)];
  return [fine(check, `listed in ${shortPath(first.path, home)} as ${first.spec}`)];
}

function switchedOff({ files, home }: Facts): Finding[] {
  return files
    .filter((file) =>
      file.switchedOff.some((id) => id === "beckon" || id === "beckon.tui" || id === "beckon.*" || id === "*"),
    )
    .map(({ path }) => ({
      check,
      level: "broken" as const,
      symptom: "beckon is listed and switched off",
      cause: `${shortPath(path, home)} switches it off`,
      fix: `take "-beckon", or beckon.tui under plugin_enabled, out of that file`,
    }));
}

function targetFinding({ spec, path, target }: Listed, home: string, line: Line | undefined): Finding[] {
  const where = `${shortPath(path, home)} lists ${spec}`;
  switch (target?.kind) {
    case undefined:
    case "folder":
      return [];
    case "unbuilt":
      return [
        {
          ...broken("beckon is listed and not built", `${where}, which has no dist folder`),
          fix: "build it there",
          paste: `cd ${shellWord(spec)} && npm ci`,
        },
      ];
    case "file":
    case "tarball":
      return notLoadable(spec, target.kind, line) ? [notAFolder(where, target.kind)] : [];
    case "missing":
      return [
        {
          ...broken("beckon is listed and not there", `${where}, which does not exist`),
          fix: "install again from where it is now",
          paste: "beckon install",
        },
      ];
  }
}

/** 1.x loads a file, and unpacks a tarball after `file:`; 2.x wants a folder. Tried on opencode 1.18.33. */
const notLoadable = (spec: string, kind: "file" | "tarball", line: Line | undefined): boolean =>
  line === "2" || (kind === "tarball" && !spec.startsWith("file:"));

const notAFolder = (where: string, kind: "file" | "tarball"): Finding => ({
  ...broken("opencode cannot load what is listed", `${where}, which is a ${kind}: opencode wants the folder`),
  fix: "list the folder instead",
  paste: "beckon install",
});

const broken = (symptom: string, cause: string): Finding => ({ check, level: "broken", symptom, cause });

const notJSON = (path: string): Finding => ({
  ...broken(`${path} is not JSON`, "opencode cannot read it, and so loads none of its plugins"),
  fix: "repair it: opencode names the place when it starts",
  paste: "opencode --version",
});

const notReadable = (path: string, why: string): Finding => ({
  ...broken(`${path} cannot be read`, why),
  fix: "put a plain file there, or take it away",
});

const notListed: Finding = {
  ...broken("opencode does not load beckon", "no opencode.json here, global or of this project, lists it"),
  fix: "list it, then start opencode again",
  paste: "beckon install",
};

const wrongKey = ({ path }: Listed, home: string): Finding => ({
  ...broken(
    "opencode 1.x does not load beckon",
    `${shortPath(path, home)} lists it under "plugins"; 1.x reads "plugin"`,
  ),
  fix: "move it, then start opencode again",
  paste: "beckon install --line 1",
});

const doubled = (listed: readonly Listed[], home: string): Finding => ({
  ...broken(
    "beckon is listed more than once",
    listed.map(({ path, key, spec }) => `${shortPath(path, home)} («${key}»: ${spec})`).join(", "),
  ),
  fix: "keep one of them; install moves and merges what stands in one file",
  paste: "beckon uninstall && beckon uninstall && beckon install",
});
