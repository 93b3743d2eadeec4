import type { Note } from "./channel.ts";
import { channelDeadlinesMs } from "./channel-deadlines.ts";
import type { Environment } from "./find-program.ts";
import type { Platform } from "./platform.ts";
import { findPowerShell, powerShellArguments } from "./powershell.ts";
import { linuxSoundFile, macSoundFile, soundName } from "./sound-file.ts";
import type { Performer } from "./speaker.ts";

/** A player, and which notes it has something to play for. */
export type Player = Performer & { takes(note: Note): boolean };

/** The players of a platform in order of preference. */
export function players(platform: Platform, env: Environment): Player[] {
  const linux = [
    filePlayer("pw-play", (file) => [file], linuxSoundFile, env),
    filePlayer("paplay", (file) => [file], linuxSoundFile, env),
    canberra,
    filePlayer("aplay", (file) => ["-q", file], wavOnly, env),
  ];
  switch (platform) {
    case "linux":
      return linux;
    case "darwin":
      return [filePlayer("/usr/bin/afplay", (file) => [file], macSoundFile, env)];
    case "win32":
      return [windowsPlayer("win32", env)];
    case "wsl":
      return [windowsPlayer("wsl", env), ...linux];
    case "other":
      return [];
  }
}

/** A file's whole path begins with a slash: it is never taken for an option. */
const filePlayer = (
  program: string,
  args: (file: string) => string[],
  find: (note: Note, env: Environment) => string | undefined,
  env: Environment,
): Player => ({
  name: program.replace(/^.*\//, ""),
  takes: (note) => find(note, env) !== undefined,
  call: (note) => ({ program, args: args(find(note, env) ?? "") }),
  deadlineMs: () => channelDeadlinesMs.sound,
});

const wavOnly = (note: Note, env: Environment): string | undefined => {
  const file = linuxSoundFile(note, env);
  return file?.endsWith(".wav") ? file : undefined;
};

/** It knows the person's own sound theme, by name. */
const canberra: Player = {
  name: "canberra-gtk-play",
  takes: (note) => soundName(note) !== undefined,
  call: (note) => ({ program: "canberra-gtk-play", args: ["-i", soundName(note) ?? ""] }),
  deadlineMs: () => channelDeadlinesMs.sound,
};

/** A file of Windows (WAV only), a name of its Media folder, or the sound of a notice. */
const play = `
$p=$d.sound
if($p -and -not [IO.Path]::IsPathRooted($p)){$p=Join-Path $env:SystemRoot ('Media\\'+$p+'.wav')}
if($p -and (Test-Path -LiteralPath $p -PathType Leaf)){(New-Object Media.SoundPlayer $p).PlaySync()}
else{[Media.SystemSounds]::Asterisk.Play();Start-Sleep -Milliseconds 1500}`;

const windowsPlayer = (platform: "win32" | "wsl", env: Environment): Player => ({
  name: "windows-sound",
  takes: ({ sound }) => !/^[/~]/.test(sound ?? ""), // WSL's own files are not for it
  call: (note) => ({
    program: findPowerShell(platform, env),
    args: powerShellArguments(play, { sound: windowsSound(note) }),
  }),
  deadlineMs: () => channelDeadlinesMs.sound,
});

/** On a drive, never on a share: opening one hands the person's password hash to its server. */
const windowsSound = (note: Note): string | null => {
  const { sound } = note;
  if (sound === undefined || sound === null) return null;
  return /^[A-Za-z]:\\[^:*?"<>|/]+\.wav$/i.test(sound) ? sound : (soundName(note) ?? null);
};
