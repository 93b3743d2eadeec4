import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Behaviour = "record" | "hang" | "wait" | "exit-1" | "flood" | "leave-a-child";
/** `note`: what it was given in its environment. */
export type Call = { program: string; args: string[]; input?: string; note?: string };

export type ProgramFolder = {
  path: string;
  /** Only what this folder holds is found. */
  env: Record<string, string>;
  calls(): Call[];
  /** What a recording program prints from now on. */
  answers(program: string, text: string): void;
  /** Gives a program another behaviour. */
  becomes(program: string, behaviour: Behaviour): void;
  remove(): void;
};

/** A PATH of one folder, with stand-ins under the names of real programs. They are real processes. */
export function createProgramFolder(programs: Readonly<Record<string, Behaviour>>): ProgramFolder {
  const path = mkdtempSync(join(tmpdir(), "beckon-programs-"));
  const becomes = (program: string, behaviour: Behaviour) => {
    const body = fileURLToPath(new URL(`./${behaviour}.cjs`, import.meta.url));
    writeFileSync(join(path, program), `#!${process.execPath}\nrequire(${JSON.stringify(body)});\n`);
    chmodSync(join(path, program), 0o755);
  };
  for (const [program, behaviour] of Object.entries(programs)) becomes(program, behaviour);
  const record = join(path, "calls.jsonl");
  return {
    path,
    env: { PATH: path },
    calls: () => (existsSync(record) ? wholeLines(readFileSync(record, "utf8")).map((line) => JSON.parse(line)) : []),
    answers: (program, text) => writeFileSync(join(path, `${program}.answer`), text),
    becomes,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The last one may still be being written. */
const wholeLines = (text: string): string[] => text.split("\n").slice(0, -1);
