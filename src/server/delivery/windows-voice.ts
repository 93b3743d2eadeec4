import type { Environment } from "./find-program.ts";
import { findPowerShell, powerShellArguments } from "./powershell.ts";
import type { Performer } from "./speaker.ts";
import { voiceName } from "./voice-name.ts";
import { speechDeadlineMs } from "./voices.ts";

/** A voice that is not installed is no reason to be silent. */
const speak = `
Add-Type -AssemblyName System.Speech
$s=New-Object System.Speech.Synthesis.SpeechSynthesizer
if($d.voice){try{$s.SelectVoice($d.voice)}catch{}}
elseif($d.language){try{$s.SelectVoiceByHints(0,0,0,[Globalization.CultureInfo]$d.language)}catch{}}
$s.Speak($d.text)`;

export const windowsVoice = (platform: "win32" | "wsl", env: Environment): Performer => ({
  name: "windows-voice",
  call: ({ spoken, voice, language }) => ({
    program: findPowerShell(platform, env),
    args: powerShellArguments(speak, { text: spoken, voice: voiceName(voice) ?? null, language: language ?? null }),
  }),
  deadlineMs: () => speechDeadlineMs,
});
