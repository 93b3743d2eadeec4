import { type ChildProcess, spawn } from "node:child_process";
import { waitFor } from "./wait-for.ts";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A program of ours that runs until it is ended by its id. Its output is kept. */
export type Child = {
  pid: number;
  stdout(): string;
  stderr(): string;
  exited: Promise<Exit>;
  /** SIGTERM, after 5 s SIGKILL; resolves when it is gone. One opencode in fifteen ignores SIGTERM for seconds. */
  end(): Promise<Exit>;
};

export type ChildOptions = { cwd: string; env: Record<string, string> };

const alive = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/** Starts a program without a shell. It does not outlive this process. */
export function startChild(program: string, args: string[], options: ChildOptions): Child {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  alive.add(child);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once("error", (error) => {
      output.stderr += String(error);
      alive.delete(child);
      resolve({ code: null, signal: null });
    });
    child.once("close", (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? -1,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    async end() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
        await exited;
        clearTimeout(late);
      }
      return exited;
    },
  };
}

/** Waits for a match in what the program printed; fails at once when it has ended without one. */
export async function printed(child: Child, pattern: RegExp): Promise<RegExpExecArray> {
  let gone = false;
  void child.exited.then(() => {
    gone = true;
  });
  const said = () => `${child.stdout()}${child.stderr()}`;
  return waitFor(
    () => `${pattern} in the output:\n${said()}`,
    () => {
      const match = pattern.exec(said());
      if (match === null && gone) throw new Error(`the program ended before it printed ${pattern}:\n${said()}`);
      return match ?? undefined;
    },
  );
}
