import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import { createSpeaker, type Performer } from "../../../src/server/delivery/speaker.ts";
import { voiceName } from "../../../src/server/delivery/voice-name.ts";
import { espeak, espeakNG, say, spdSay } from "../../../src/server/delivery/voices.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { type Behaviour, createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { waitFor, waitUntil } from "../../rig/host/wait-for.ts";
import { noteOf } from "./note.ts";
import { isAlive } from "./processes.ts";

const never = new AbortController().signal;

const arrange = async (performer: Performer, behaviour: Behaviour | undefined) => {
  const folder = createProgramFolder(behaviour ? { [performer.name]: behaviour } : {});
  const outlet = createSpeaker(performer, { run: runProgram, env: folder.env });
  return { folder, outlet, close: async () => folder.remove() };
};

for (const performer of [spdSay, espeakNG, espeak]) {
  outletContract({
    name: performer.name,
    texts: ({ spoken }) => [spoken],
    async works() {
      const { folder, ...rest } = await arrange(performer, "record");
      const heard = () => folder.calls().map(({ input = "" }) => [input.trim()]);
      return {
        ...rest,
        received: (count) => waitFor(`${count} calls`, () => (heard().length >= count ? heard() : undefined)),
      };
    },
    fails: {
      unavailable: () => arrange(performer, undefined),
      refused: () => arrange(performer, "exit-1"),
      timeout: () => arrange(performer, "hang"),
    },
  });
}

describe("a voice", () => {
  test("on a Mac is Zarvox, and the text is never an argument", () => {
    expect(say.call(noteOf({ spoken: "--help" }))).toEqual({
      program: "/usr/bin/say",
      args: ["-v", "Zarvox", "-f", "-"],
      input: "--help",
    });
    expect(say.call(noteOf({ voice: "Anna (Premium)" })).args).toEqual(["-v", "Anna (Premium)", "-f", "-"]);
  });

  test("is espeak's own when none is named, and the named one otherwise", () => {
    expect(espeakNG.call(noteOf({ voice: null })).args).toEqual(["--stdin"]);
    expect(espeakNG.call(noteOf({ voice: "gmw/en-US" })).args).toEqual(["--stdin", "-v", "gmw/en-US"]);
  });

  test("speaks the language of the sentence where nobody named a voice", () => {
    const german = noteOf({ spoken: "Arbeit fertig", language: "de", voice: null });
    expect(espeakNG.call(german).args).toEqual(["--stdin", "-v", "de"]);
    expect(spdSay.call(german)).toMatchObject({ args: ["-e", "-w", "-l", "de"], input: " Arbeit fertig\n" });
    expect(say.call(german).args).toEqual(["-f", "-"]); // the system's own voice
    expect(espeakNG.call({ ...german, voice: "en-gb" }).args).toEqual(["--stdin", "-v", "en-gb"]);
  });

  test("of speech-dispatcher takes a text for a text, never for a command of its own", () => {
    expect(spdSay.call(noteOf({ spoken: "!-!SET SELF VOLUME 100" })).input).toMatch(/^ !-!/);
  });

  test("of speech-dispatcher gets the longer the text the longer to speak it, but no 30 seconds for a word", () => {
    expect(spdSay.deadlineMs(noteOf({ spoken: "done" }))).toBeLessThan(10_000);
    expect(spdSay.deadlineMs(noteOf({ spoken: "x".repeat(300) }))).toBe(30_000);
  });

  test.each([
    ["Zarvox", "Zarvox"],
    [" Anna (Premium) ", "Anna (Premium)"],
    ["en-gb+f3", "en-gb+f3"],
    ["普通话", "普通话"],
    [null, undefined],
    [undefined, undefined],
    ["", undefined],
    ["-f/etc/passwd", undefined],
    ["../../etc/passwd", undefined],
    ["a\nb", undefined],
    ["$(id)", undefined],
    ["x".repeat(101), undefined],
  ])("named %j is %j", (given, expected) => {
    expect(voiceName(given)).toBe(expected);
  });
});

describe("speaking", () => {
  let arranged: Awaited<ReturnType<typeof arrange>>;
  let folder: ProgramFolder;
  beforeEach(async () => {
    arranged = await arrange(espeakNG, "wait");
    folder = arranged.folder;
  });
  afterEach(() => arranged.close());
  const pidFile = () => join(folder.path, "espeak-ng.pid");

  test("is cut when it is no longer true, which is no failure", async () => {
    const sent = arranged.outlet.send(noteOf(), never);
    await waitUntil("it to speak", () => existsSync(pidFile()) && readFileSync(pidFile(), "utf8") !== "");
    await arranged.outlet.withdraw?.("another session");
    const pid = Number(readFileSync(pidFile(), "utf8"));
    expect(isAlive(pid)).toBe(true);
    await arranged.outlet.withdraw?.("ses_S");
    expect(await sent).toEqual({ ok: true, outlet: "espeak-ng", certainty: "started" });
    expect(isAlive(pid)).toBe(false);
  });

  test("ends when the channel gives it up", async () => {
    const giveUp = new AbortController();
    const sent = arranged.outlet.send(noteOf(), giveUp.signal);
    await waitUntil("it to speak", () => existsSync(pidFile()) && readFileSync(pidFile(), "utf8") !== "");
    giveUp.abort();
    expect(await sent).toMatchObject({ ok: false, reason: "lost" });
    expect(isAlive(Number(readFileSync(pidFile(), "utf8")))).toBe(false);
  });
});
