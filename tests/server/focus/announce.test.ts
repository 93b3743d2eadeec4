import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { announce } from "../../../src/server/focus/announce.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";

const relayID = "0123456789abcdef";
let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "beckon-announce-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function setUp(...folders: string[]) {
  const clock = createHandCrankedClock();
  const log: string[] = [];
  const said = { directories: ["/project"] };
  const announcement = await announce({
    clock,
    log: (line) => log.push(line),
    folders,
    relayID,
    describe: () => ({
      url: "ws://127.0.0.1:1/focus",
      token: "t",
      pid: 1,
      startedAt: 1,
      line: "v1",
      protocol: 1,
      ...said,
    }),
  });
  return { clock, log, said, announcement };
}
const read = (folder: string) => JSON.parse(readFileSync(join(folder, `${relayID}.json`), "utf8"));
const mode = (path: string) => statSync(path).mode & 0o777;

describe("a relay", () => {
  test("is announced in every folder, which it makes its own", async () => {
    const [one, two] = [join(base, "run", "relays"), join(base, "state", "relays")];
    mkdirSync(two, { recursive: true, mode: 0o755 });
    const { announcement } = await setUp(one, two);
    expect(announcement.places()).toEqual([one, two]);
    for (const folder of [one, two]) {
      expect(mode(folder)).toBe(0o700);
      expect(mode(join(folder, `${relayID}.json`))).toBe(0o600);
      expect(read(folder).directories).toEqual(["/project"]);
      expect(readdirSync(folder)).toEqual([`${relayID}.json`]);
    }
    await announcement.withdraw();
    expect([...readdirSync(one), ...readdirSync(two)]).toEqual([]);
  });

  test("is announced where it can be, with one line about where it cannot", async () => {
    const [good, bad] = [join(base, "good"), join(base, "bad")];
    writeFileSync(bad, "a file where a folder should be");
    const { announcement, log, clock } = await setUp(bad, good);
    expect(announcement.places()).toEqual([good]);
    clock.advance(30_000);
    await announcement.refresh();
    expect(log).toEqual([expect.stringContaining(`relay: cannot be announced in ${bad}`)]);
    await announcement.withdraw();
  });

  test("is not announced in a folder that is not its own to write", async () => {
    const folder = join(base, "not ours");
    mkdirSync(folder);
    if (process.getuid?.() === 0) chownSync(folder, 12_345, 12_345);
    else chmodSync(folder, 0o500);
    expect((await setUp(folder)).announcement.places()).toEqual([]);
  });

  test("is not announced where no folder can be made, not even in the odd places of Linux", async () => {
    expect((await setUp("/proc/self/relays", join(base, "\0"))).announcement.places()).toEqual([]);
  });

  test("is announced again when a cleaner took its file, and when it has something else to say", async () => {
    const folder = join(base, "relays");
    const { announcement, said, clock } = await setUp(folder);
    rmSync(folder, { recursive: true });
    clock.advance(10_000);
    await waitUntil("the file again", () => readdirSync(base).includes("relays") && readdirSync(folder).length === 1);
    said.directories = ["/project", "/other"];
    await announcement.refresh();
    expect(read(folder).directories).toEqual(["/project", "/other"]);
    await announcement.withdraw();
  });

  test("is announced again when others may read its file by now, for no terminal believes that one", async () => {
    const folder = join(base, "relays");
    const { announcement } = await setUp(folder);
    const path = join(folder, `${relayID}.json`);
    chmodSync(path, 0o644);
    await announcement.refresh();
    expect(mode(path)).toBe(0o600);
    await announcement.withdraw();
  });

  test.runIf(process.platform !== "win32")("is announced again when a pipe lies where its file was", async () => {
    const folder = join(base, "relays");
    const { announcement } = await setUp(folder);
    const path = join(folder, `${relayID}.json`);
    rmSync(path);
    execFileSync("mkfifo", ["-m", "600", path]);
    await announcement.refresh();
    expect(statSync(path).isFile()).toBe(true);
    await announcement.withdraw();
  });

  test("stays withdrawn, whatever was still on its way", async () => {
    const folder = join(base, "relays");
    const { announcement, clock } = await setUp(folder);
    const late = announcement.refresh();
    await announcement.withdraw();
    await late;
    clock.advance(60_000);
    await announcement.refresh();
    expect(readdirSync(folder)).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });
});
