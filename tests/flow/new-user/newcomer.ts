import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Packed } from "../../package/packed.ts";
import { type IsolatedHome, isolatedHome, pretendInstalled } from "../../rig/host/isolated-home.ts";
import { hostProgram } from "../../rig/host/start-server.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { asPlainUser } from "../../rig/plain-user.ts";
import { type Ran, runIn } from "../../server/cli/built-command.ts";

const finding = z.object({
  check: z.string(),
  level: z.enum(["broken", "advice", "fine"]),
  symptom: z.string(),
  cause: z.optional(z.string()),
  fix: z.optional(z.string()),
  paste: z.optional(z.string()),
});
export type Finding = z.infer<typeof finding>;
const report = z.object({ broken: z.number(), findings: z.array(finding) });

/** Where a package's folder has the command. */
export const command = "dist/server/cli/main.js";

/** Packages of an earlier `npm ci` are taken from npm's own cache. */
const npmCache = () => ({
  npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
  npm_config_prefer_offline: "true",
});

/** Somebody in an empty folder of a fresh home, with the real opencode and the packed package's command on PATH. */
export type Newcomer = {
  /** `project` is the empty folder. */
  home: IsolatedHome;
  env: Record<string, string>;
  /** Puts a program on PATH, in place of the one of that name. */
  puts(name: "opencode" | "beckon", program: string): void;
  /** Runs a line in a shell, as one pastes it. */
  paste(line: string, env?: Record<string, string>): Promise<Ran>;
  bin: string;
  /** Throws when the exit code contradicts the findings. */
  doctor(env?: Record<string, string>): Promise<Finding[]>;
  /** What the doctor does not find in order. */
  troubles(env?: Record<string, string>): Promise<Finding[]>;
  /** Waits until `beckon status` says that. */
  sees(words: string): Promise<void>;
};

export function newcomer(packed: Packed, more: Record<string, string> = {}): Newcomer {
  const whole = isolatedHome();
  const folder = join(whole.root, "empty");
  const bin = join(whole.root, "bin");
  for (const path of [folder, bin]) mkdirSync(path);
  pretendInstalled(join(folder, ".opencode")); // or a host that finds this folder fetches 64 MB
  const puts: Newcomer["puts"] = (name, program) => {
    rmSync(join(bin, name), { force: true });
    symlinkSync(program, join(bin, name));
  };
  puts("opencode", hostProgram());
  puts("beckon", join(packed.installed, command));
  const env = { ...whole.env, ...npmCache(), ...more, PATH: `${bin}:${whole.env.PATH}` };
  const home = { ...whole, project: folder, env };

  const paste: Newcomer["paste"] = (line, changed = {}) => {
    const [program = "", ...args] = asPlainUser(["sh", "-c", line]);
    return runIn(folder, { ...env, ...changed }, program, args);
  };
  const doctor: Newcomer["doctor"] = async (changed) => {
    const { code, stdout, stderr } = await paste("beckon doctor --json", changed);
    if (stderr !== "") throw new Error(stderr);
    const { broken, findings } = report.parse(JSON.parse(stdout));
    if (code !== (broken > 0 ? 1 : 0)) throw new Error(`ended with ${code}, ${broken} broken`);
    return findings;
  };
  return {
    ...{ home, env, bin, puts, paste, doctor },
    troubles: async (changed) => (await doctor(changed)).filter(({ level }) => level !== "fine"),
    async sees(words) {
      let shown = "";
      await waitFor(
        () => `«${words}» in the status:\n${shown}`,
        async () => {
          shown = (await paste("beckon status")).stdout;
          return shown.includes(words) || undefined;
        },
      );
    },
  };
}
