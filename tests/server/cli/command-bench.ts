import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Context } from "../../../src/server/cli/context.ts";
import { createOut, type Out } from "../../../src/server/cli/out.ts";
import { run } from "../../../src/server/cli/run.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";

process.env.TZ = "UTC"; // times are printed as the person's own

/** `out`: the streams behind what a command prints. */
type Change = Partial<Omit<Context, "out">> & { out?: Omit<Out, "control"> };

export type Ended = { code: number; out: string; complaints: string };

/** A home folder of its own in which commands are run as in a terminal without colours. */
export function createBench(environment: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), "beckon-cli-"));
  const home = join(root, "home");
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: join(root, "bin"), HOME: home, TZ: "UTC", ...environment };

  return {
    root,
    home,
    cwd,
    env,
    /** Runs one command line. Paths of this bench read `ROOT` in what it prints. */
    async run(args: readonly string[], { out, ...change }: Change = {}): Promise<Ended> {
      const printed = { out: "", complaints: "" };
      const code = await run(args, {
        out: createOut(
          out ?? {
            write: (text) => {
              printed.out += text;
            },
            complain: (text) => {
              printed.complaints += text;
            },
            colour: false,
          },
        ),
        place: { env, platform: "linux", home },
        cwd,
        packageRoot: "/opt/opencode-beckon",
        version: "0.1.0",
        runProgram,
        atTerminal: true,
        wall: Date.now,
        signal: new AbortController().signal,
        ...change,
      });
      return {
        code,
        out: printed.out.replaceAll(root, "ROOT"),
        complaints: printed.complaints.replaceAll(root, "ROOT"),
      };
    },
    write(path: string, text: string): string {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    read: (path: string): string => readFileSync(join(home, path), "utf8"),
    /** A program on PATH that prints one line, as a shell script. */
    program(name: string, script: string): void {
      const file = join(root, "bin", name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    /** Every file and folder below the home folder, with mode and bytes. */
    snapshot: () => snapshotOf(home),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Every file and folder below a folder, with mode and bytes. */
export function snapshotOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, item.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      found[relative(root, path)] = item.isDirectory() ? `${mode} folder` : `${mode} ${readFileSync(path, "latin1")}`;
      if (item.isDirectory()) visit(path);
    }
  };
  visit(root);
  return found;
}

/** This repository. */
export const repository = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "");
