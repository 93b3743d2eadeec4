import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { guarded } from "../../shared/guard.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Environment, findProgram } from "./find-program.ts";

export type ProgramRun = {
  program: string;
  args: readonly string[];
  env: Environment;
  /** Killed after this, ms. */
  deadlineMs: number;
  /** Aborting kills the program. */
  signal?: AbortSignal;
  /** Written to its standard input, which is closed otherwise. */
  input?: string;
};

export type ProgramFailure = {
  kind:
    | "missing" // not in PATH, not executable, or the system refuses to start it
    | "failed" // exit status other than 0, or ended by a signal that was not ours
    | "timeout"
    | "aborted";
  detail: string;
};

/** Runs a program to its end: its standard output (at most 64 KiB of it). */
export type RunProgram = (run: ProgramRun) => Promise<Result<string, ProgramFailure>>;

const mostOutput = 64 * 1_024;
/** What prints more than this is killed, bytes: reading it to its deadline would cost the host its time. */
const mostPrinted = 16 * 1_024 * 1_024;
/** A background process of the program may hold its pipes open for ever: so long we wait for them after its exit. */
const pipesGraceMs = 100;

/**
 * No shell: the arguments reach the program as they are. Never throws, never keeps this process alive, leaves no
 * child behind after the deadline.
 */
export const runProgram: RunProgram = (run) => {
  if (run.signal?.aborted) return Promise.resolve(fail({ kind: "aborted", detail: "not started" }));
  const path = findProgram(run.program, run.env);
  if (path === undefined) return Promise.resolve(fail({ kind: "missing", detail: `${run.program} is not installed` }));
  const child = start(path, run.args, {
    env: run.env,
    stdio: [run.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  return child.ok ? follow(child.value, run) : Promise.resolve(child);
};

/** `spawn` throws for a few errors and emits the others, and differs in that between Node and Bun. */
export function start(
  path: string,
  args: readonly string[],
  options: SpawnOptions,
): Result<ChildProcess, ProgramFailure> {
  try {
    const child = spawn(path, args, { ...options, shell: false, windowsHide: true });
    child.on("error", () => {}); // `follow` listens too; without one an error is an uncaught exception
    child.unref();
    return ok(child);
  } catch (error) {
    return fail({ kind: "missing", detail: `${path}: ${String(error)}` });
  }
}

function follow(child: ChildProcess, run: ProgramRun): Promise<Result<string, ProgramFailure>> {
  return new Promise((resolve) => {
    let killed: ProgramFailure | undefined;
    const kill = (failure: ProgramFailure) => {
      killed ??= failure;
      child.kill("SIGKILL"); // a stopped or stubborn program ignores SIGTERM
    };
    const flooded = () =>
      kill({ kind: "failed", detail: `killed: it printed more than ${mostPrinted / 1_024 / 1_024} MiB` });
    const [output, complaint] = [collect(child.stdout, flooded), collect(child.stderr, flooded)];
    const onAbort = guarded("program", () => kill({ kind: "aborted", detail: "no longer wanted" }));
    const onDeadline = guarded("program", () => kill({ kind: "timeout", detail: `killed after ${run.deadlineMs} ms` }));
    const timer = setTimeout(onDeadline, run.deadlineMs);
    timer.unref();
    run.signal?.addEventListener("abort", onAbort);

    const settle = (result: Result<string, ProgramFailure>) => {
      clearTimeout(timer);
      run.signal?.removeEventListener("abort", onAbort);
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
      resolve(result);
    };
    const onEnd = guarded("program", (code: number | null, signal: string | null) => {
      if (killed) settle(fail(killed));
      else if (code === 0) settle(ok(output()));
      else settle(fail({ kind: "failed", detail: wordsFor(code, signal, complaint()) }));
    });
    const onFailure = guarded("program", (error: Error) =>
      settle(fail({ kind: "missing", detail: `${run.program}: ${error.message}` })),
    );
    const onExit = guarded("program", (code: number | null, signal: string | null) =>
      setTimeout(onEnd, pipesGraceMs, code, signal).unref(),
    );
    child.on("error", onFailure);
    child.on("close", onEnd);
    child.on("exit", onExit);
    child.stdin?.on("error", () => {}); // it may end without reading
    child.stdin?.end(run.input);
  });
}

const wordsFor = (code: number | null, signal: string | null, complaint: string): string => {
  const [firstLine = ""] = complaint.trim().split("\n");
  return `${code === null ? `ended by ${signal}` : `exit ${code}`}${firstLine ? `: ${firstLine.slice(0, 200)}` : ""}`;
};

function collect(pipe: ChildProcess["stdout"], flooded: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  pipe?.on("error", () => {});
  const hear = guarded("program", (chunk: Buffer) => {
    if (bytes < mostOutput) chunks.push(chunk.subarray(0, mostOutput - bytes));
    bytes += chunk.length;
    if (bytes > mostPrinted) flooded();
  });
  pipe?.on("data", hear);
  unrefPipe(pipe);
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Pipes are sockets in Node and Bun, though their declared type is only a stream. */
function unrefPipe(pipe: object | null): void {
  if (pipe && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}
