import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { printableJSON } from "../../shared/text.ts";
import { configFileSource } from "../config/file-source.ts";
import { findingText } from "../config/finding.ts";
import { configJsonSchema } from "../config/json-schema.ts";
import { plainValue, readTree } from "../config/json-text.ts";
import { parseConfig } from "../config/parse.ts";
import type { ConfigPatch } from "../config/patch.ts";
import { saveConfig } from "../config/save.ts";
import { type Config, defaultConfig } from "../config/schema.ts";
import { withoutSecrets } from "../config/secrets.ts";
import { settingsBelow, valueAt } from "../config/show.ts";
import { writtenIn } from "../config/store.ts";
import { schemaFileName, templateText } from "../config/template.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { exitCode } from "./exit-code.ts";

/** What a command says, and how it ends. With code 2 the text is a complaint. */
export type Answer = { text: string; exitCode: number };

const done = (text: string): Answer => ({ text, exitCode: exitCode.done });
const finding = (text: string): Answer => ({ text, exitCode: exitCode.finding });
const misuse = (text: string): Answer => ({ text, exitCode: exitCode.usage });

/** Writes a file of comments, and beside it the schema it points to. An existing file is left alone. */
export async function initConfig(path: string): Promise<Answer> {
  if (existsSync(path)) return finding(`${path} is there already; nothing was written`);
  const schema = join(dirname(path), schemaFileName);
  for (const [file, text] of [
    [schema, schemaJSON()],
    [path, templateText()],
  ] as const) {
    const written = await writeAtomic(file, text);
    if (!written.ok) return finding(`nothing was written: ${written.error.message}`);
  }
  return done(`Written: ${path}\nEvery setting stands in it as a comment. Is an edit right? beckon config check`);
}

export const configPathAnswer = (path: string): Answer => done(path);

export const configSchemaAnswer = (): Answer => done(schemaJSON().trimEnd());

const schemaJSON = () => `${JSON.stringify(configJsonSchema(), null, 2)}\n`;

/** `secrets`: addresses, topics, tokens and signing keys are shown, too. */
export type GetOptions = { json: boolean; secrets: boolean };

/** What is in force below a key; a single setting is its bare value, for scripts. A broken file is an error: its values do not count. */
export async function getConfig(path: string, key: string | undefined, { json, secrets }: GetOptions): Promise<Answer> {
  const settings = settingsBelow(key ?? "");
  if (!settings.ok) return misuse(settings.error);
  const read = await readConfig(path);
  if (!read.ok) return finding(read.text);
  const steps = key === undefined ? [] : key.split(".");
  const shown = (at: readonly string[]) => {
    const value = valueAt(read.config, at) ?? null;
    return secrets ? value : withoutSecrets(value, at);
  };
  if (json) return done(printableJSON(shown(steps), 2));
  const [only] = settings.value;
  if (only !== undefined && only.path.length === steps.length) return done(bareWord(shown(only.path)));
  return done(
    settings.value
      .map(({ path: at }) => {
        const byDefault = valueAt(read.written, at) === undefined ? " (default)" : "";
        return `${at.join(".")} = ${printableJSON(shown(at))}${byDefault}`;
      })
      .join("\n"),
  );
}

const bareWord = (value: unknown): string => (typeof value === "string" ? value : printableJSON(value));

/** What setting that key to that word changes, as far as it reads as JSON. */
export function patchFromWord(key: string, word: string): ConfigPatch {
  const json = readTree(word);
  return patchOf(key.split("."), json.ok ? plainValue(json.value) : word);
}

/** `word`: JSON, or a bare word that stands for text. `null` takes the key out of the file. */
export async function setConfig(path: string, key: string, word: string): Promise<Answer> {
  const settings = settingsBelow(key);
  if (!settings.ok) return misuse(settings.error);
  const steps = key.split(".");
  const saved = await saveWord(path, steps, word);
  if (!saved.ok) return saved.error.kind === "bad-patch" ? misuse(saved.error.message) : finding(saved.error.message);
  const now = bareWord(withoutSecrets(valueAt(saved.value.config, steps), steps));
  const changed = saved.value.changed.length > 0;
  return done(changed ? `${key} = ${now}\nSaved: ${path}` : `${key} = ${now} already; nothing was written`);
}

/** What reads as JSON may be meant as text (a voice named 123): the second reading counts when only it is right. */
async function saveWord(path: string, steps: readonly string[], word: string): Promise<SaveResult> {
  const json = readTree(word);
  if (!json.ok) return save(path, steps, word);
  const first = await save(path, steps, plainValue(json.value));
  if (first.ok || first.error.kind !== "bad-patch") return first;
  const second = await save(path, steps, word);
  return second.ok ? second : first;
}

type SaveResult = Awaited<ReturnType<typeof saveConfig>>;

const save = (path: string, steps: readonly string[], value: unknown): Promise<SaveResult> =>
  saveConfig({ path, patch: patchOf(steps, value) });

const patchOf = ([key = "", ...rest]: readonly string[], value: unknown): ConfigPatch => ({
  [key]: rest.length === 0 ? value : patchOf(rest, value),
});

/** One line a mistake, as compilers write them: `file:line:column: …`. */
export async function checkConfigFile(path: string): Promise<Answer> {
  const file = await configFileSource(path)();
  if (file.kind === "missing") return done(`${path}: no such file; the defaults are in force`);
  if (file.kind === "unreadable") return finding(file.why);
  const parsed = parseConfig(file.text);
  if (parsed.ok) return done(`${path}: valid`);
  const lines = parsed.error.findings.map(({ at, ...rest }) =>
    at === undefined ? `${path}: ${findingText(rest)}` : `${path}:${at.line}:${at.column}: ${findingText(rest)}`,
  );
  return finding(`${lines.join("\n")}\nThe whole file is ignored until this is repaired.`);
}

type Read = { ok: true; config: Config; written: unknown } | { ok: false; text: string };

async function readConfig(path: string): Promise<Read> {
  const file = await configFileSource(path)();
  if (file.kind === "missing") return { ok: true, config: defaultConfig, written: undefined };
  if (file.kind === "unreadable") return { ok: false, text: file.why };
  const parsed = parseConfig(file.text);
  if (!parsed.ok) return { ok: false, text: (await checkConfigFile(path)).text };
  return { ok: true, config: parsed.value, written: writtenIn(file) };
}
