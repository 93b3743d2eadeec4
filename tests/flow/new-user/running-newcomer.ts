import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Packed, pack } from "../../package/packed.ts";
import { type Desktop, startDesktop } from "../../rig/desktop/desktop.ts";
import { hostProgram, startServer } from "../../rig/host/start-server.ts";
import { command, type Newcomer, newcomer } from "./newcomer.ts";

const listing = ["opencode.json", "tui.json"] as const;

/** Somebody at a desktop who has installed beckon, and the real opencode runs. */
export type RunningNewcomer = Newcomer & {
  packed: Packed;
  desktop: Desktop;
  url: string;
  /** opencode's global file of that name. */
  file(name: (typeof listing)[number]): string;
  /** Programs and files as they were after the installation. */
  heal(): void;
  end(): Promise<void>;
};

export async function runningNewcomer(): Promise<RunningNewcomer> {
  const packed = await pack();
  const desktop = await startDesktop();
  const { XDG_RUNTIME_DIR = "", DISPLAY = "" } = desktop.env; // the bus is found where a login puts it
  const person = newcomer(packed, { XDG_RUNTIME_DIR, DISPLAY });
  const { home, paste, puts, sees } = person;
  await paste("beckon install");
  const server = await startServer(home);
  await sees("beckon 0.");
  const file: RunningNewcomer["file"] = (name) => join(home.globalConfig, name);
  const installed = listing.map((name) => ({ name, text: readFileSync(file(name)) }));
  return {
    ...person,
    ...{ packed, desktop, url: server.url, file },
    heal() {
      puts("opencode", hostProgram());
      puts("beckon", join(packed.installed, command));
      for (const { name, text } of installed) {
        writeFileSync(file(name), text);
        rmSync(join(home.project, ".opencode", name), { force: true });
      }
      rmSync(home.beckonConfig, { force: true });
    },
    async end() {
      await server.close();
      await desktop.close();
      home.remove();
      packed.remove();
    },
  };
}
