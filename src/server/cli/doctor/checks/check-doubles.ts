import { isNotifierOff, nativeAttention } from "../../../host-files/native-attention.ts";
import { shortPath } from "../../short-path.ts";
import type { Facts } from "../facts.ts";
import type { Finding } from "../finding.ts";
import type { HostFileFacts } from "../gather-host-files.ts";

/** Whether somebody else calls you for the same things. */
export const checkDoubles = (facts: Facts): Finding[] => [...checkNative(facts), ...checkPeers(facts)];

function checkNative({ host, files, home }: Facts): Finding[] {
  const on = nativeAttention(files);
  if (on !== undefined) {
    return [
      {
        check: "doubles",
        level: "broken",
        symptom: "opencode calls you too, beside beckon",
        cause: `its own attention is on in ${shortPath(on.path, home)}`,
        fix: "switch it off there, by hand or by beckon",
        paste: on.off,
      },
    ];
  }
  const isOff = files.some((file) => isNotifierOff(file) || (file.role === "client" && file.attention === false));
  if (host?.line !== "2" || isOff) return [];
  return [
    {
      check: "doubles",
      level: "advice",
      symptom: "opencode 2 may call you too, beside beckon",
      cause: "its own notifier, opencode.notifications, is not switched off in cli.json",
      fix: "switch it off, if you are called twice",
      paste: "beckon install --native-attention-off",
    },
  ];
}

/** Other plugins that call a person. A file's or package's name is what tells. */
const peers: readonly { pattern: RegExp; imports?: string }[] = [
  { pattern: /smart-voice-notify/, imports: "smart-voice-notify" },
  { pattern: /opencode-notifier/, imports: "opencode-notifier" },
  { pattern: /opencode-notify|kdco-notify/, imports: "opencode-notify" },
  { pattern: /opencode-(alert|bell|beep|focus-notify|ntfy|pushover|telegram-notify)|desktop-notify|notification/ },
];

function checkPeers({ files, home }: Facts): Finding[] {
  const others = files
    .filter(({ role }) => role !== "client")
    .flatMap((file) => file.entries.filter(({ ours }) => !ours).map(({ spec }) => ({ file, spec })));
  const found = others.flatMap(({ file, spec }) => {
    const peer = peers.find(({ pattern }) => pattern.test(nameIn(spec)));
    return peer === undefined ? [] : [peerFinding(file, spec, peer.imports, home)];
  });
  return found;
}

/** The last parts of a path or the package's name: a folder above may be called anything. */
const nameIn = (spec: string): string => spec.split(/[/\\]/).slice(-2).join("/").toLowerCase();

const peerFinding = (file: HostFileFacts, spec: string, imports: string | undefined, home: string): Finding => ({
  check: "doubles",
  level: "broken",
  symptom: `another plugin calls you for the same things: ${spec}`,
  cause: `${shortPath(file.path, home)} ${file.role === "loose" ? "is loaded by opencode" : "lists it"}, too`,
  fix: imports === undefined ? "take one of the two out" : "take over its settings, then take it out of that file",
  ...(imports === undefined ? {} : { paste: `beckon config import ${imports}` }),
});
