import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNotifySend, notifySendArguments } from "../../../src/server/delivery/notify-send.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { type Behaviour, createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { type Desktop, startDesktop } from "../../rig/desktop/desktop.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { noteOf } from "./note.ts";

const over = (env: Record<string, string>) => createNotifySend({ run: runProgram, env });
const never = new AbortController().signal;
const plain = (markup: string) => markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const withStandIn = async (behaviour: Behaviour | undefined) => {
  const folder = createProgramFolder(behaviour ? { "notify-send": behaviour } : {});
  return { outlet: over(folder.env), close: async () => folder.remove() };
};

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "notify-send",
)("a banner by the real notify-send", () => {
  outletContract({
    name: "notify-send with dunst",
    texts: ({ title, body }) => [title, body],
    takesBack: "also the next one",
    async works() {
      const desktop = await startDesktop();
      return {
        outlet: over(desktop.env),
        next: () => over(desktop.env),
        received: (count) =>
          waitFor(`${count} notes on the screen`, () =>
            desktop.displayed().length >= count
              ? desktop.displayed().map(({ title, body }) => [title, plain(body)])
              : undefined,
          ),
        close: () => desktop.close(),
      };
    },
    fails: {
      unavailable: () => withStandIn(undefined),
      refused: () => withStandIn("exit-1"),
      timeout: () => withStandIn("hang"),
    },
  });

  describe("with a person in front of it", () => {
    let desktop: Desktop;
    beforeEach(async () => {
      desktop = await startDesktop();
    });
    afterEach(() => desktop.close());

    test("is replaced in place and taken back by its number", async () => {
      const outlet = over(desktop.env);
      await outlet.send(noteOf({ body: "one" }), never);
      await outlet.send(noteOf({ body: "two", urgency: "critical" }), never);
      await outlet.withdraw?.("ses_S");
      const closed = await desktop.until("it to be closed", ([, second]) => second?.closed);
      expect(closed).toEqual({ reason: "closed", by: "call" });
      expect(desktop.banners()).toMatchObject([
        { body: "one", overwritten: true },
        { body: "two", urgency: "critical", app: "opencode" },
      ]);
    });

    test("leaves alone what a new daemon shows under an old number", async () => {
      const outlet = over(desktop.env);
      await outlet.send(noteOf({ key: "old", title: "ours" }), never);
      await outlet.send(noteOf({ key: "older", title: "ours, too" }), never);
      await desktop.daemon.end();
      await desktop.daemon.restart();
      for (const title of ["theirs", "theirs, too"]) await desktop.run("notify-send", "--print-id", title);
      const numbers = desktop.banners().map(({ id }) => id);
      expect(numbers.slice(2)).toEqual(numbers.slice(0, 2)); // they start over
      expect(await outlet.withdraw?.("old")).toBe(false);
      expect(await outlet.replaces?.("older")).toBe(false);
      await outlet.send(noteOf({ key: "older", title: "new" }), never);
      await desktop.settled();
      const [first, second] = desktop.banners().filter(({ title }) => title.startsWith("theirs"));
      for (const banner of [first, second]) {
        expect(banner).toMatchObject({ overwritten: false });
        expect(banner).not.toHaveProperty("closed");
      }
    });

    test("fails where nobody shows notifications", async () => {
      await desktop.daemon.end();
      expect(await over(desktop.env).send(noteOf(), never)).toMatchObject({ ok: false, reason: "refused" });
    });
  });
});

describe("the call of notify-send", () => {
  const oldest = { appName: false, printID: false, replaceID: false };
  const newest = { appName: true, printID: true, replaceID: true };

  test("has only what version 0.7.9 knows, until the program says more", () => {
    expect(
      notifySendArguments(noteOf({ title: "-t", body: "a < b" }), oldest, { markup: true, replaces: "7" }),
    ).toEqual([
      "--urgency=normal",
      "--hint=string:desktop-entry:opencode",
      "--hint=string:category:x-opencode.pause",
      "--",
      "-t",
      "a &lt; b",
    ]);
  });

  test("replaces by number and stays up when it is critical", () => {
    const args = notifySendArguments(noteOf({ urgency: "critical" }), newest, { markup: false, replaces: "7" });
    expect(args).toEqual(
      expect.arrayContaining(["--app-name=opencode", "--expire-time=0", "--print-id", "--replace-id=7"]),
    );
  });

  let folder: ProgramFolder | undefined;
  afterEach(() => folder?.remove());

  test("is made after asking the program once what it can", async () => {
    folder = createProgramFolder({ "notify-send": "record" });
    const outlet = over(folder.env);
    await outlet.send(noteOf(), never);
    await outlet.send(noteOf(), never);
    expect(folder.calls().filter(({ args }) => args.includes("--help"))).toHaveLength(1);
    expect(folder.calls().at(-1)?.args).not.toContain("--print-id");
  });

  test("leaves the body alone where the daemon does not render markup", async () => {
    folder = createProgramFolder({ "notify-send": "record", gdbus: "record" });
    folder.answers("gdbus", "(['actions', 'body'],)\n");
    await over(folder.env).send(noteOf({ body: "a < b" }), never);
    expect(folder.calls().at(-1)?.args.at(-1)).toBe("a < b");
  });

  test("closes through busctl where there is no gdbus", async () => {
    folder = createProgramFolder({ "notify-send": "record", busctl: "record" });
    folder.answers("notify-send", "42\n");
    const outlet = over(folder.env);
    await outlet.send(noteOf(), never);
    await outlet.withdraw?.("ses_S");
    await outlet.withdraw?.("ses_S");
    const closings = folder.calls().filter(({ args }) => args.includes("CloseNotification"));
    expect(closings.map(({ program, args }) => [program, ...args.slice(-3)])).toEqual([
      ["busctl", "CloseNotification", "u", "42"],
    ]);
  });
});
