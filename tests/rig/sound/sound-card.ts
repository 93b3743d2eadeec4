import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, startChild } from "../host/child.ts";
import { waitFor, waitUntil } from "../host/wait-for.ts";

export type SoundCard = {
  /** Programs started with this play into it. */
  env: Record<string, string>;
  folder: string;
  /** The loudest sample so far, 0 to 1. */
  loudest(): number;
  close(): Promise<void>;
};

/** A private PulseAudio whose only output is a null sink, and a recorder of what goes into it. */
export async function startSoundCard(): Promise<SoundCard> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-sound-"));
  const socket = join(folder, "native");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LANG: "C.UTF-8",
    PULSE_SERVER: `unix:${socket}`,
  };
  const modules = [`module-native-protocol-unix auth-anonymous=1 socket=${socket}`, "module-null-sink sink_name=null"];
  const options = ["-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"];
  const server = startChild("pulseaudio", [...options, ...modules.flatMap((module) => ["-L", module])], {
    cwd: folder,
    env,
  });
  await waitUntil(
    () => `PulseAudio to listen: ${server.stderr()}`,
    () => existsSync(socket),
  );
  await waitFor("PulseAudio to answer", async () => {
    const asked = startChild("pactl", ["list", "short", "sinks"], { cwd: folder, env });
    return (await asked.exited).code === 0 && asked.stdout().includes("null") ? true : undefined;
  });
  const record = join(folder, "heard.raw");
  const format = ["--format=s16le", "--rate=16000", "--channels=1", "--latency-msec=50", "--verbose"];
  const recorder = startChild("parec", ["--device=null.monitor", ...format, record], { cwd: folder, env });
  await printed(recorder, /Stream successfully created|Connected to device/);
  return {
    env,
    folder,
    loudest: () => loudestOf(existsSync(record) ? readFileSync(record) : Buffer.alloc(0)),
    async close() {
      await recorder.end();
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function loudestOf(samples: Buffer): number {
  let loudest = 0;
  for (let at = 0; at + 1 < samples.length; at += 2) loudest = Math.max(loudest, Math.abs(samples.readInt16LE(at)));
  return loudest / 32_768;
}
