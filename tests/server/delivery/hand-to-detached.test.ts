import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handToDetached } from "../../../src/server/delivery/hand-to-detached.ts";
import { createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { noteOf } from "./note.ts";

describe("an alert handed to a program that outlives us", () => {
  let folder: ProgramFolder;
  beforeEach(() => {
    folder = createProgramFolder({});
  });
  afterEach(() => folder.remove());

  test("is started without waiting, with clean text as data", async () => {
    folder.becomes("notify-send", "record");
    expect(
      handToDetached(noteOf({ title: "-t\u0007", body: "a < $(id)" }), { platform: "linux", env: folder.env }),
    ).toBe(true);
    await waitUntil("it to have run", () => folder.calls().length === 1);
    expect(folder.calls()[0]?.args.slice(-3)).toEqual(["--", "-t", "a &lt; $(id)"]);
  });

  test("is bounded in time where the machine can do that", async () => {
    folder.becomes("notify-send", "record");
    folder.becomes("timeout", "record");
    expect(handToDetached(noteOf(), { platform: "linux", env: folder.env })).toBe(true);
    await waitUntil("it to have run", () => folder.calls().length === 1);
    expect(folder.calls()[0]?.args.slice(0, 2)).toEqual(["10", `${folder.path}/notify-send`]);
  });

  const platforms = ["linux", "darwin", "win32", "wsl", "other"] as const;
  // A Mac has its osascript always.
  test.each(platforms.filter((platform) => platform !== "darwin" || process.platform !== "darwin"))(
    "is not claimed on %s when there is no program",
    (platform) => {
      expect(handToDetached(noteOf(), { platform, env: folder.env })).toBe(false);
    },
  );
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "notify-send",
)("an alert of a process that ends at once", () => {
  test("is shown by the real daemon", async () => {
    await withDesktop({}, async (desktop) => {
      const note = noteOf({ title: "last words", body: "a < b & c" });
      expect(handToDetached(note, { platform: "linux", env: desktop.env })).toBe(true);
      await waitUntil("it to be on the screen", () => desktop.displayed().length === 1);
      expect(desktop.displayed()[0]).toMatchObject({ title: "last words", body: "a &lt; b &amp; c" });
    });
  });
});
