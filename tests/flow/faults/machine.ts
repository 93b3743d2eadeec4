import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Behaviour, type Call, createProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { type Desktop, startDesktop } from "../../rig/desktop/desktop.ts";
import { packageRoot } from "../../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../../rig/host/real-host.ts";
import { writeConfig } from "../../rig/host/write-config.ts";
import { type SmallDisk, startSmallDisk } from "../../rig/small-disk.ts";
import { type SoundCard, startSoundCard } from "../../rig/sound/sound-card.ts";
import type { JournalLine } from "../../scenarios/host-under-test.ts";
import { inEnglish } from "../v1/english.ts";
import { reaches } from "../v1/shown.ts";
import { work } from "../v1/work.ts";

/** A person's machine with the real opencode on it. Of the programs that notify only those are installed that a test wants. */
export type Machine = {
  desktop: Desktop;
  host: RealHost;
  card: SoundCard;
  /** The disk of journal and log, and the one programs keep their own files on. */
  stateDisk: SmallDisk;
  homeDisk: SmallDisk;
  configure(alerts: object): void;
  /** Exactly these are installed from now on; "real" = the machine's own. */
  install(programs: Readonly<Record<string, Behaviour | "real">>): void;
  /** How the stand-ins were called. */
  calls(): Call[];
  /** A new session does real work: the line about its end. */
  work(session?: string): Promise<JournalLine>;
  /** Lines of beckon.log with that text. */
  logged(text: string): string[];
  close(): Promise<void>;
};

/** A shell is what opencode's own tool needs. */
const always = ["sh", "bash"];

export async function startMachine(): Promise<Machine> {
  const [desktop, card, programs] = [await startDesktop(), await startSoundCard(), createProgramFolder({})];
  for (const program of always) symlinkSync(whereIs(program), join(programs.path, program));
  const disks: SmallDisk[] = [];
  async function closeAround(): Promise<void> {
    for (const disk of disks) disk[Symbol.dispose]();
    await card.close();
    await desktop.close();
    programs.remove();
  }
  const { PULSE_SERVER = "" } = card.env;
  const host = await startRealHost({
    plugins: [packageRoot()],
    env: { ...inEnglish, ...reaches(desktop), PATH: programs.path, PULSE_SERVER },
    prepare(home) {
      disks.push(
        startSmallDisk(home.beckonState, ["journal.jsonl", "beckon.log"]),
        startSmallDisk(home.env.HOME ?? ""),
      );
    },
  }).catch(async (error: unknown) => {
    await closeAround();
    throw error;
  });
  const [stateDisk, homeDisk] = disks;
  if (stateDisk === undefined || homeDisk === undefined) throw new Error("the host was not prepared");
  const installed = new Set<string>();

  return {
    desktop,
    host,
    card,
    stateDisk,
    homeDisk,
    configure: (alerts) => writeConfig(host.home, { alerts }),
    install(wanted) {
      for (const program of installed) rmSync(join(programs.path, program), { force: true });
      installed.clear();
      for (const [program, behaviour] of Object.entries(wanted)) {
        installed.add(program);
        if (behaviour === "real") symlinkSync(whereIs(program), join(programs.path, program));
        else programs.becomes(program, behaviour);
      }
    },
    calls: programs.calls,
    work: async (session) => work(host, session ?? (await host.newSession())),
    logged(text) {
      const path = join(host.home.beckonState, "beckon.log");
      return existsSync(path)
        ? readFileSync(path, "utf8")
            .split("\n")
            .filter((line) => line.includes(text))
        : [];
    },
    async close() {
      await host.server.close();
      for (const disk of disks) disk[Symbol.dispose](); // before its folder is removed
      await host.close();
      await closeAround();
    },
  };
}

function whereIs(program: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is not installed`);
  return found;
}
