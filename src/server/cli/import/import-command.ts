import { join } from "node:path";
import { configPath } from "../../config/location.ts";
import { saveConfig } from "../../config/save.ts";
import { readTextIfAny } from "../../files/read-file.ts";
import { globalFolder } from "../../host-files/host-files.ts";
import { readDocument } from "../../host-files/read-document.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { whatIsWrong } from "../install/edit-failure.ts";
import { refusalForScripts } from "../person-only.ts";
import { shortPath } from "../short-path.ts";
import type { Document, Imported } from "./imported.ts";
import { fromOpencodeNotifier } from "./opencode-notifier.ts";
import { fromOpencodeNotify } from "./opencode-notify.ts";
import { fromSmartVoiceNotify } from "./smart-voice-notify.ts";

type Peer = { files: readonly string[]; read: (document: Document) => Imported };

export const peers = {
  "opencode-notifier": { files: ["opencode-notifier.json"], read: fromOpencodeNotifier },
  "opencode-notify": { files: ["kdco-notify.json"], read: fromOpencodeNotify },
  "smart-voice-notify": { files: ["smart-voice-notify.jsonc", "smart-voice-notify.json"], read: fromSmartVoiceNotify },
} as const satisfies Record<string, Peer>;
const maxSourceBytes = 1_024 * 1_024;
export type PeerName = keyof typeof peers;

export type ImportOptions = { from?: string; dryRun: boolean };

/** Takes another plugin's settings over into ours, and says what was taken and what has no counterpart. */
export async function importCommand(
  name: PeerName,
  { from, dryRun }: ImportOptions,
  context: Context,
): Promise<number> {
  const { out, place } = context;
  const { files, read } = peers[name];
  const paths = from === undefined ? files.map((file) => join(globalFolder(place), file)) : [from];
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readTextIfAny(path, { maxBytes: maxSourceBytes }) })),
  );
  const found = sources.find(({ text }) => !text.ok || text.value !== undefined);
  if (found === undefined || !found.text.ok || found.text.value === undefined) {
    const why =
      found?.text.ok === false
        ? found.text.error.message
        : `${paths.map((path) => shortPath(path, place.home)).join(", ")}: no such file`;
    out.complain(`beckon: ${why}; nothing was imported\n`);
    return exitCode.finding;
  }
  if (whatIsWrong(found.text.value) !== undefined) {
    out.complain(`beckon: ${found.path} is not JSON; nothing was imported\n`);
    return exitCode.usage;
  }
  const imported = read(readDocument(found.text.value));
  out.write(`From ${shortPath(found.path, place.home)}\n${summary(imported)}`);
  if (dryRun) {
    out.write("\nDry run: nothing was written.\n");
    return exitCode.done;
  }
  return imported.taken.length === 0 ? exitCode.done : save(imported, context);
}

async function save({ patch }: Imported, context: Context): Promise<number> {
  const { out, place } = context;
  const path = configPath(place);
  const refusal = refusalForScripts(patch, context);
  if (refusal !== undefined) {
    out.complain(`beckon: ${refusal}\n`);
    return exitCode.finding;
  }
  const saved = await saveConfig({ path, patch });
  if (!saved.ok) {
    out.complain(`beckon: ${saved.error.message}\n`);
    return exitCode.finding;
  }
  out.write(`\nSaved: ${shortPath(path, place.home)}. Now take the other plugin out of opencode's configuration.\n`);
  return exitCode.done;
}

function summary({ taken, without }: Imported): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  const nothing = taken.length === 0 ? "\nNothing to take over: what is set there is the default here.\n" : "";
  return list("Taken over:", taken) + nothing + list("Without a counterpart:", without);
}
