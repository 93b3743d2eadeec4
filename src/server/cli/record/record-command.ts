import { type FileHandle, open, rm } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { isRecord } from "../../../shared/is-record.ts";
import type { ToObserver } from "../../../shared/protocol.ts";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { relayDirs } from "../../config/location.ts";
import { errorCode, fileFailure } from "../../files/file-error.ts";
import { createPrivacyFilter } from "../../privacy/remove-private-text.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { findRelays, isLive, type LiveRelay } from "../relays/find-relays.ts";
import { isFrame, type Observer, observeRelay } from "../relays/observe-relay.ts";

/** `seconds`: ends by itself then; `pid`: which opencode, where several run. */
export type RecordOptions = { seconds?: number; pid?: number };

const answerMs = 10_000;
/** Who pressed Ctrl-C does not wait long for a host that hangs: what came until then is written. */
const lastWordMs = 2_000;

/** Writes what a running opencode tells its plugin to a file, without private text, until Ctrl-C. */
export async function recordCommand(file: string, options: RecordOptions, context: Context): Promise<number> {
  const { out, cwd } = context;
  const finding = (text: string) => {
    out.complain(`beckon: ${text}\n`);
    return exitCode.finding;
  };
  const relay = await chooseRelay(options.pid, context);
  if (!relay.ok) return finding(relay.error);
  const { pid } = relay.value.descriptor;
  const observer = await observeRelay(relay.value.descriptor);
  if (!observer.ok) return finding(`opencode with pid ${pid} cannot record: ${observer.error.detail}`);
  try {
    const target = await create(resolve(cwd, file));
    if (!target.ok) return finding(target.error);
    const recorded = await record(observer.value, options, context);
    const lines = recorded.ok ? recorded.value : [];
    const written = await write(target.value, lines);
    if (!written.ok || lines.length === 0) await rm(resolve(cwd, file), { force: true });
    if (!recorded.ok) return finding(`opencode with pid ${pid} cannot record: ${recorded.error}`);
    if (!written.ok) return finding(fileFailure(resolve(cwd, file), written.error).message);
    return ended(lines.length, file, out);
  } finally {
    observer.value.close();
  }
}

/** The one opencode there is, the one asked for, or the one that works in this folder. */
async function chooseRelay(pid: number | undefined, { place, cwd }: Context): Promise<Result<LiveRelay, string>> {
  const relays = (await findRelays(relayDirs(place))).filter(isLive);
  const wanted = relays.filter(({ descriptor }) => pid === undefined || descriptor.pid === pid);
  const here = wanted.filter(({ descriptor }) => descriptor.directories.some((directory) => contains(directory, cwd)));
  const [only, another] = here.length > 0 ? here : wanted;
  if (only === undefined)
    return fail(`no running opencode with beckon found${pid === undefined ? "" : ` with pid ${pid}`}`);
  if (another === undefined) return ok(only);
  return fail(`several run: say which with --pid (${wanted.map(({ descriptor }) => descriptor.pid).join(", ")})`);
}

function contains(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

/** A new file, 0600. Nothing stands in it before the recording has ended. */
async function create(path: string): Promise<Result<FileHandle, string>> {
  try {
    return ok(await open(path, "wx", 0o600));
  } catch (error) {
    const exists = errorCode(error) === "EEXIST";
    return fail(exists ? `${path}: is there already; nothing was written` : fileFailure(path, error).message);
  }
}

type Line = Readonly<Record<string, unknown>>;

async function write(target: FileHandle, lines: readonly Line[]): Promise<Result<void, unknown>> {
  try {
    return ok(await target.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  } catch (error) {
    return fail(error);
  } finally {
    await target.close();
  }
}

/** @returns the trace, or why nothing can be recorded */
async function record(
  observer: Observer,
  { seconds }: RecordOptions,
  { out, signal }: Context,
): Promise<Result<Line[], string>> {
  const filter = createPrivacyFilter(); // the relay has done so already, unless it is of an older version
  const lines: Line[] = [];
  const stop = observer.listen((frame) => {
    const line = frame.type === "trace" ? parse(frame.line) : undefined;
    if (line !== undefined) lines.push(filter(line));
  });
  const answer = observer.next(isAnswer, answerMs);
  observer.send({ type: "record", on: true });
  const told = await answer;
  if (told?.ok !== true) return fail(told?.text ?? "no answer within 10 s");
  out.complain("Recording; Ctrl-C ends it.\n");
  await Promise.race([observer.ended, interrupted(signal, seconds)]);
  const stopped = observer.next(isAnswer, lastWordMs);
  observer.send({ type: "record", on: false });
  await stopped; // what was on its way has arrived then
  stop();
  return ok(lines.sort((a, b) => Number(a.t) - Number(b.t))); // an answer of the host belongs to the moment it was about
}

type RecordAnswer = Extract<ToObserver, { type: "answer" }>;
const isAnswer = (frame: ToObserver): frame is RecordAnswer => isFrame("answer")(frame) && frame.to === "record";

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined; // what cannot be read cannot be made harmless
  }
}

const interrupted = (signal: AbortSignal, seconds: number | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) return done();
    const timer = seconds === undefined ? undefined : setTimeout(done, seconds * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });

function ended(count: number, file: string, out: Context["out"]): number {
  out.write(`${count} lines written to ${file}. Prompts, commands, outputs, titles and paths were replaced;\n`);
  out.write(`read it through before you show it to anybody. What it decides: beckon replay ${file}\n`);
  return count > 0 ? exitCode.done : exitCode.finding;
}
