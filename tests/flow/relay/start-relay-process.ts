import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Descriptor, readDescriptor } from "../../../src/shared/rendezvous.ts";
import type { Runtime } from "./runtimes.ts";

export type Said = Record<string, unknown>;

/** A running relay process: everything it said so far, and a promise for the next thing it says. */
export type RelayProcess = {
  child: ChildProcess;
  folder: string;
  said: Said[];
  descriptor(): Descriptor;
  /** The first line from `since` on (default: from the start) that fits. Fails after 30 s. */
  until(fits: (line: Said) => boolean, since?: number): Promise<Said>;
  order(line: object): void;
  /** Presence as last told. */
  presence(): { id: string; seq: number; report: { focus: string } }[];
  /** Sends a marker through the process: what was to be said before it has been said. */
  settle(): Promise<void>;
  /** Resident bytes right now. */
  memory(): Promise<number>;
  end(): Promise<void>;
};

export async function startRelayProcess(
  runtime: Runtime,
  script: string,
  { maxTerminals = 64, where, onlyTCP = false }: { maxTerminals?: number; where?: string; onlyTCP?: boolean } = {},
): Promise<RelayProcess> {
  const base = mkdtempSync(join(tmpdir(), "beckon-relay-"));
  const folder = where ?? join(base, "relays");
  const argv = [script, JSON.stringify([folder]), String(maxTerminals), onlyTCP ? "tcp" : "auto"];
  const child = spawn(runtime.command, [...runtime.args, ...argv], {
    env: { ...process.env, ...runtime.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said: Said[] = [];
  const listeners = new Set<() => void>();
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(JSON.parse(line));
    for (const listener of [...listeners]) listener();
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));

  function until(fits: (line: Said) => boolean, since = 0): Promise<Said> {
    return new Promise((found, failed) => {
      const look = () => {
        const line = said.slice(since).find(fits);
        if (line === undefined) return;
        stop();
        found(line);
      };
      const stop = () => {
        clearTimeout(timer);
        listeners.delete(look);
      };
      const timer = setTimeout(() => {
        stop();
        failed(new Error(`never said; it said ${JSON.stringify(said.slice(-5))} ${errors.slice(-2_000)}`));
      }, 30_000);
      listeners.add(look);
      look();
    });
  }

  const order = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  let marks = 0;

  await until((line) => "up" in line || "failed" in line);
  return {
    child,
    folder,
    said,
    until,
    order,
    descriptor() {
      const name = readdirSync(folder).find((file) => file.endsWith(".json"));
      const read = readDescriptor(readFileSync(join(folder, name ?? ""), "utf8"));
      if (!read.ok) throw new Error("not a descriptor");
      return read.value;
    },
    presence: () => {
      const last = said.findLast((line) => "presence" in line)?.presence;
      return Array.isArray(last) ? last : [];
    },
    async settle() {
      marks += 1;
      const text = `mark ${marks}`;
      order({ do: "mark", text });
      await until((line) => line.mark === text);
    },
    async memory() {
      const since = said.length;
      order({ do: "memory" });
      return Number((await until((line) => "memory" in line, since)).memory);
    },
    async end() {
      child.kill("SIGKILL");
      await exited;
      rmSync(base, { recursive: true, force: true });
    },
  };
}
