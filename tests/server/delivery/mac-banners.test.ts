import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alerterArguments, createAlerter } from "../../../src/server/delivery/alerter.ts";
import type { NoteEvent } from "../../../src/server/delivery/channel.ts";
import { cleanNote } from "../../../src/server/delivery/clean-note.ts";
import { osascriptCall, soundOf } from "../../../src/server/delivery/osascript.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import {
  createTerminalNotifier,
  groupOf,
  terminalBundle,
  terminalNotifierArguments,
} from "../../../src/server/delivery/terminal-notifier.ts";
import { type Clock, systemClock } from "../../../src/shared/clock.ts";
import { hostileTexts } from "../../contract/hostile-texts.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { noteOf } from "./note.ts";
import { isAlive } from "./processes.ts";

// No Mac here: these hold what is handed to each program, byte for byte, and how we live with it as a process.

const never = new AbortController().signal;
const hostile = Object.entries(hostileTexts);

describe("osascript", () => {
  test.each(hostile)("gets %s as data of a script that never changes, and not as an argument", (_, text) => {
    const note = cleanNote(noteOf(text));
    const { args, env } = osascriptCall(note, { PATH: "/bin" });
    expect(args).toEqual(osascriptCall(noteOf(), {}).args);
    expect(args.slice(0, 3)).toEqual(["-l", "JavaScript", "-e"]);
    expect(env).toEqual({ PATH: "/bin", BECKON_NOTE: JSON.stringify({ title: note.title, body: note.body }) });
  });

  test("runs a script that shows what it is given", () => {
    const shown: unknown[] = [];
    const [, , , script = ""] = osascriptCall(noteOf(), {}).args;
    const { env } = osascriptCall(noteOf({ title: "Ä", body: "b", sound: "Glass" }), {});
    const $ = { NSProcessInfo: { processInfo: { environment: { objectForKey: (key: string) => env[key] } } } };
    const app = { displayNotification: (...given: unknown[]) => shown.push(given) };
    new Function("$", "ObjC", "Application", script)(
      $,
      { unwrap: (value: unknown) => value },
      { currentApplication: () => app },
    );
    expect(shown).toEqual([["b", { withTitle: "Ä", soundName: "Glass" }]]);
  });

  test.each([
    [undefined, undefined],
    [null, "Submarine"],
    ["Glass", "Glass"],
    ["/tmp/a.wav", "Submarine"],
  ])("takes the sound %s for %s", (sound, expected) => {
    expect(soundOf(noteOf(sound === undefined ? {} : { sound }))).toBe(expected);
  });
});

describe("terminal-notifier", () => {
  let folder: ProgramFolder;
  beforeEach(() => {
    folder = createProgramFolder({ "terminal-notifier": "record" });
    folder.answers("terminal-notifier", "terminal-notifier 3.0.0.\n");
  });
  afterEach(() => folder.remove());

  test.each(hostile)("gets %s by standard input, which nobody else can read", async (_, text) => {
    const note = cleanNote(noteOf(text));
    const outlet = createTerminalNotifier({ run: runProgram, env: folder.env });
    expect(await outlet.send(note, never)).toMatchObject({ ok: true });
    const call = folder.calls().at(-1);
    expect(call).toMatchObject({ input: `${note.title}\n${note.body}` });
    expect(call?.args).toEqual(["-title", "opencode", "-group", groupOf(note.key)]);
  });

  test("brings the terminal to the front that opencode runs in, and nothing else", () => {
    const bundle = terminalBundle({ __CFBundleIdentifier: "com.mitchellh.ghostty" });
    expect(terminalNotifierArguments(noteOf(), bundle).slice(-2)).toEqual(["-activate", "com.mitchellh.ghostty"]);
    expect(terminalBundle({ __CFBundleIdentifier: "x; rm -rf /" })).toBeUndefined();
    expect(terminalBundle({})).toBeUndefined();
  });

  test("is taken back by its group, once", async () => {
    const outlet = createTerminalNotifier({ run: runProgram, env: folder.env });
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: true });
    await outlet.withdraw?.("ses_S");
    await outlet.withdraw?.("ses_S");
    await outlet.withdraw?.("another");
    const removals = folder.calls().filter(({ args }) => args.includes("-remove"));
    expect(removals.map(({ args }) => args)).toEqual([["-remove", groupOf("ses_S")]]);
  });

  test.each(["terminal-notifier 2.0.0.\n", "", "usage"])("is not used when its version is %j", async (version) => {
    folder.answers("terminal-notifier", version);
    const outlet = createTerminalNotifier({ run: runProgram, env: folder.env });
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
    expect(folder.calls()).toHaveLength(1);
  });

  test("says that it is missing", async () => {
    const outlet = createTerminalNotifier({ run: runProgram, env: { PATH: "/nowhere" } });
    expect(await outlet.send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
  });
});

describe("alerter", () => {
  let folder: ProgramFolder;
  let events: NoteEvent[];
  beforeEach(() => {
    events = [];
    folder = createProgramFolder({ alerter: "record" });
  });
  afterEach(() => folder.remove());
  const outlet = (clock: Clock = systemClock) =>
    createAlerter({ env: folder.env, clock, onNote: (event) => events.push(event) });
  const pidOf = () => Number(existsSync(pidFile()) ? readFileSync(pidFile(), "utf8") : 0);
  const pidFile = () => join(folder.path, "alerter.pid");

  test.each(hostile)("gets %s by standard input, which nobody else can read", async (_, text) => {
    const note = cleanNote(noteOf(text));
    await outlet().send(note, never);
    await waitUntil("it to have been asked", () => folder.calls().length > 0);
    expect(folder.calls()[0]).toMatchObject({ input: `${note.title}\n${note.body}` });
    expect(folder.calls()[0]?.args).toEqual([
      "--title=opencode",
      `--group=${groupOf(note.key)}`,
      "--timeout=3600",
      "--json",
    ]);
  });

  test("offers buttons, but not the click on the banner as one", () => {
    const actions = [
      { key: "default", label: "Open" },
      { key: "once", label: "Allow, once" },
      { key: "reject", label: "Deny" },
    ];
    expect(alerterArguments(noteOf({ actions }))).toContain("--actions=Allow  once,Deny");
  });

  test.each<[string, NoteEvent | undefined]>([
    ['{"activationType":"contentsClicked"}', { type: "action", key: "ses_S", sessionID: "ses_S", action: "default" }],
    [
      '{"activationType":"actionClicked","activationValue":"Deny"}',
      { type: "action", key: "ses_S", sessionID: "ses_S", action: "reject" },
    ],
    ['{"activationType":"actionClicked","activationValue":"Other"}', undefined],
    ['{"activationType":"closed"}', { type: "closed", key: "ses_S", sessionID: "ses_S", why: "dismissed" }],
    ['{"activationType":"timeout"}', { type: "closed", key: "ses_S", sessionID: "ses_S", why: "expired" }],
    ["rubbish", undefined],
  ])("understands the answer %s", async (answer, event) => {
    folder.answers("alerter", answer);
    const actions = [
      { key: "default", label: "Open" },
      { key: "reject", label: "Deny" },
    ];
    await outlet().send(noteOf({ actions }), never);
    await waitUntil("it to have been asked", () => folder.calls().length > 0);
    if (event) await waitUntil("the news", () => events.length > 0);
    expect(events).toEqual(event ? [event] : []);
  });

  test.each([
    '{"activationType":"contentsClicked"}',
    '{"activationType":"actionClicked","activationValue":"Deny"}',
    '{"activationType":"actionClicked","activationValue":""}',
  ])("does not believe the answer %s to a banner that offered nothing", async (answer) => {
    const under = outlet(patientClock); // waits for the program to end
    folder.answers("alerter", answer);
    await under.send(noteOf(), never);
    folder.answers("alerter", '{"activationType":"closed"}');
    await under.send(noteOf({ key: "marker" }), never);
    expect(events).toEqual([{ type: "closed", key: "marker", sessionID: "ses_S", why: "dismissed" }]);
  });

  test("waits for the person without being waited for, and goes when it is taken back", async () => {
    folder.becomes("alerter", "wait");
    const under = outlet();
    expect(await under.send(noteOf(), never)).toEqual({ ok: true, outlet: "alerter", certainty: "started" });
    await waitUntil("it to run", () => pidOf() > 0);
    const pid = pidOf();
    await under.withdraw?.("ses_S");
    await waitUntil("it to be gone", () => !isAlive(pid));
    expect(events).toEqual([]);
  });

  test("gives way to the next banner of its session", async () => {
    folder.becomes("alerter", "wait");
    const under = outlet();
    await under.send(noteOf(), never);
    await waitUntil("it to run", () => pidOf() > 0);
    const first = pidOf();
    await under.send(noteOf({ body: "newer" }), never);
    await waitUntil("the first to be gone", () => !isAlive(first));
    await under.withdraw?.("ses_S");
  });

  test("says that it refused or is missing", async () => {
    folder.becomes("alerter", "exit-1");
    const patient = outlet(createHandCrankedClock()); // however slowly the program starts on a busy machine
    expect(await patient.send(noteOf(), never)).toMatchObject({ ok: false, reason: "refused" });
    const absent = createAlerter({ env: {}, clock: systemClock });
    expect(await absent.send(noteOf(), never)).toMatchObject({ ok: false, reason: "unavailable" });
  });
});
