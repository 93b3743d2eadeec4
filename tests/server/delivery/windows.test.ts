import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cleanNote } from "../../../src/server/delivery/clean-note.ts";
import { findPowerShell } from "../../../src/server/delivery/powershell.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import { players } from "../../../src/server/delivery/sounds.ts";
import {
  createWindowsToast,
  removalArguments,
  tagOf,
  toastArguments,
} from "../../../src/server/delivery/windows-toast.ts";
import { windowsVoice } from "../../../src/server/delivery/windows-voice.ts";
import { hostileTexts } from "../../contract/hostile-texts.ts";
import { createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { noteOf } from "./note.ts";

// No Windows here: these hold what PowerShell is handed, and that no text can leave its base64.

const never = new AbortController().signal;
const hostile = Object.entries(hostileTexts);
const hidden = [
  "-NoProfile",
  "-NonInteractive",
  "-WindowStyle",
  "Hidden",
  "-ExecutionPolicy",
  "Bypass",
  "-EncodedCommand",
];

/** The script PowerShell runs, with its data taken out, and that data. */
function opened(args: readonly string[]): { script: string; data: unknown } {
  expect(args.slice(0, -1)).toEqual(hidden);
  const whole = Buffer.from(args.at(-1) ?? "", "base64").toString("utf16le");
  const [, json = ""] = /FromBase64String\('([A-Za-z0-9+/=]*)'\)/.exec(whole) ?? [];
  return { script: whole.replace(json, "DATA"), data: JSON.parse(Buffer.from(json, "base64").toString("utf8")) };
}

describe("a Windows toast", () => {
  const { script } = opened(toastArguments(noteOf()));

  test("is a constant script that stops at its first error and builds no XML from text", () => {
    expect(script.split("\n")).toEqual([
      "$ErrorActionPreference='Stop'",
      "$d=[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('DATA'))|ConvertFrom-Json",
      "",
      "$app='{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
      "[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]",
      "[void][Windows.Data.Xml.Dom.XmlDocument,Windows.Data.Xml.Dom.XmlDocument,ContentType=WindowsRuntime]",
      "$x=New-Object Windows.Data.Xml.Dom.XmlDocument",
      `$x.LoadXml('<toast><visual><binding template="ToastGeneric"><text/><text/></binding></visual><audio silent="true"/></toast>')`,
      "$t=$x.GetElementsByTagName('text')",
      "[void]$t.Item(0).AppendChild($x.CreateTextNode($d.title))",
      "[void]$t.Item(1).AppendChild($x.CreateTextNode($d.body))",
      "if($d.urgency -eq 'critical'){$x.DocumentElement.SetAttribute('duration','long')}",
      "$n=New-Object Windows.UI.Notifications.ToastNotification $x",
      "$n.Tag=$d.tag",
      "$n.Group='opencode'",
      "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($n)",
    ]);
  });

  test.each(hostile)("carries %s as data and changes nothing of the script", (_, text) => {
    const note = cleanNote(noteOf(text));
    const toast = opened(toastArguments(note));
    expect(toast.script).toBe(script);
    expect(toast.data).toEqual({ title: note.title, body: note.body, urgency: "normal", tag: tagOf("ses_S") });
  });

  test("stays far below what a command line may hold, with the longest texts", () => {
    const note = cleanNote(noteOf({ title: "修".repeat(200), body: "👩‍👩‍👧‍👦".repeat(300) }));
    expect(toastArguments(note).join(" ").length).toBeLessThan(32_767);
  });

  test("is taken back by the tag it was shown with, which old builds accept too", () => {
    const removal = opened(removalArguments("ses_S"));
    expect(removal.data).toEqual({ tag: tagOf("ses_S") });
    expect(removal.script.split("\n").at(-1)).toBe(
      "[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($d.tag,'opencode',$app)",
    );
    expect(tagOf("a key of any length ".repeat(20))).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("speech and sound on Windows", () => {
  test.each(hostile)("speak %s as data", (_, text) => {
    const { args, input } = windowsVoice("win32", {}).call(noteOf({ spoken: text.title, voice: "$(calc)" }));
    expect(input).toBeUndefined();
    expect(opened(args).data).toEqual({ text: text.title, voice: null, language: null });
    expect(opened(args).script).toBe(opened(windowsVoice("win32", {}).call(noteOf()).args).script);
  });

  test("speak in the language of the sentence where no voice is named", () => {
    const { script, data } = opened(windowsVoice("win32", {}).call(noteOf({ language: "de", voice: null })).args);
    expect(data).toMatchObject({ voice: null, language: "de" });
    expect(script).toContain("SelectVoiceByHints(0,0,0,[Globalization.CultureInfo]$d.language)");
  });

  test("speak with a voice that is named", () => {
    expect(opened(windowsVoice("wsl", {}).call(noteOf({ voice: "Microsoft Zira Desktop" })).args).data).toMatchObject({
      voice: "Microsoft Zira Desktop",
    });
  });

  test.each([
    [null, null],
    ["Alarm01", "Alarm01"],
    ["C:\\Windows\\Media\\tada.wav", "C:\\Windows\\Media\\tada.wav"],
    ["\\\\evil\\share\\x.wav", null],
    ["//evil/share/x.wav", undefined],
    ["C:\\x.exe", null],
    ["$(calc)", null],
    ["/usr/share/sounds/a.wav", undefined],
    ["~/a.wav", undefined],
  ])("play for %j the sound %j, never one of a share", (sound, expected) => {
    const [player] = players("wsl", {});
    const note = noteOf({ sound });
    expect(player?.takes(note)).toBe(expected !== undefined);
    if (player && expected !== undefined) expect(opened(player.call(note).args).data).toEqual({ sound: expected });
  });
});

describe("PowerShell", () => {
  let folder: ProgramFolder;
  beforeEach(() => {
    folder = createProgramFolder({ "powershell.exe": "record" });
  });
  afterEach(() => folder.remove());
  const toast = () => createWindowsToast({ run: runProgram, env: folder.env, platform: "wsl" });

  test("is Windows' own by its whole path, whatever lies in a project", () => {
    const path = "System32\\WindowsPowerShell\\v1.0\\powershell.exe";
    expect(findPowerShell("win32", { SystemRoot: "D:\\Win", PATH: "." })).toBe(`D:\\Win\\${path}`);
    expect(findPowerShell("win32", {})).toBe(`C:\\Windows\\${path}`);
  });

  test("is looked for in PATH from inside WSL, then on drive C", () => {
    expect(findPowerShell("wsl", folder.env)).toBe(join(folder.path, "powershell.exe"));
    expect(findPowerShell("wsl", {})).toBe("/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe");
  });

  test("is called once for a toast and once to take it back", async () => {
    const outlet = toast();
    await outlet.withdraw?.("ses_S");
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: true, outlet: "windows-toast" });
    await outlet.withdraw?.("ses_S");
    await outlet.withdraw?.("ses_S");
    expect(folder.calls().map(({ args }) => args)).toEqual([toastArguments(noteOf()), removalArguments("ses_S")]);
  });

  test("that fails has refused", async () => {
    folder.becomes("powershell.exe", "exit-1");
    expect(await toast().send(noteOf(), never)).toMatchObject({ ok: false, reason: "refused" });
  });

  test("that is not there is unavailable", async () => {
    const outlet = createWindowsToast({ run: runProgram, env: { PATH: "/nowhere" }, platform: "wsl" });
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
    await outlet.withdraw?.("ses_S");
  });

  test("cannot be run where WSL's interop is off, which is unavailable too", async () => {
    const program = join(folder.path, "powershell.exe");
    writeFileSync(program, Buffer.from("MZ\u0090\u0000\u0003\u0000\u0000\u0000\u0004\u0000", "latin1"));
    chmodSync(program, 0o755);
    expect(await toast().send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
  });
});
