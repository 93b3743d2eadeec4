import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { type Packed, pack } from "./packed.ts";
import { runScript, runtimes } from "./runtimes.ts";

const run = promisify(execFile);
const told = z.object({ stdout: z.string() });

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

describe.each(runtimes())("on $name a folder copied without node_modules", (runtime) => {
  test("calls the person through notify-send, and lets its process end by itself", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "beckon-alone-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const shown = join(home, "shown");
    const journalFile = join(home, "state/opencode-beckon/journal.jsonl");
    const bin = notifySendInto(home, shown);
    const script = join(packed.copy, "alone.mjs");
    writeFileSync(script, askAndWait(journalFile));
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_STATE_HOME: join(home, "state"),
      XDG_RUNTIME_DIR: home,
      DISPLAY: ":99",
      LANG: "en_US.UTF-8",
    };
    const { stdout, stderr } = await runScript({ ...runtime, env: { ...runtime.env, ...env } }, script, home);
    expect(stdout + stderr).toBe("");
    expect(readFileSync(shown, "utf8")).toContain("Fix login");
    const journal = readFileSync(journalFile, "utf8").trim().split("\n");
    const delivered = journal.map((line) => JSON.parse(line)).filter(({ outcome }) => outcome === "delivered");
    expect(delivered, journal.join("\n")).toMatchObject([
      { alert: "pause", requestID: "per_1", channels: ["banner"], reason: "unattended", title: "Fix login" },
    ]);
  });
});

test("the doctor of a folder copied without node_modules takes the missing bus library for what it is", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "beckon-alone-")));
  const bus = createServer((socket) => socket.destroy()).listen(join(home, "bus"));
  onTestFinished(() => {
    bus.close();
    rmSync(home, { recursive: true, force: true });
  });
  const env = { PATH: "/usr/bin:/bin", HOME: home, DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, "bus")}` };
  const doctor = [join(packed.copy, "dist/server/cli/main.js"), "doctor", "--json"];
  const { stdout } = await run(process.execPath, doctor, { env, cwd: home }).catch(told.parse); // exit code 1: something is broken
  const { findings } = z.object({ findings: z.array(z.looseObject({ check: z.string() })) }).parse(JSON.parse(stdout));
  expect(findings.filter(({ check }) => check === "banner")).toMatchObject([
    { symptom: "banners go by notify-send only: a click does nothing, and an old one cannot be replaced" },
  ]);
});

/** Stands for the program: writes down what it was told. */
function notifySendInto(home: string, shown: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const program = `#!/bin/sh\ncase "$1" in --help) exit 0;; esac\nprintf '%s\\n' "$@" > '${shown}.part'\nmv '${shown}.part' '${shown}'\n`;
  writeFileSync(join(bin, "notify-send"), program, { mode: 0o755 });
  expect(existsSync(shown)).toBe(false);
  return bin;
}

/** A 1.18 host that knows one session, whose permission nobody answers. Ends without `process.exit`. */
const askAndWait = (journal: string) => `
  import { existsSync } from "node:fs";
  import plugin from "./index.js";
  const info = { id: "ses_1", title: "Fix login", directory: "/project", time: { created: 0, updated: 0 } };
  const session = { get: async () => ({ data: info }), messages: async () => ({ data: [] }) };
  const hooks = await plugin.server({ client: { session }, directory: "/project", worktree: "/project", project: {} });
  const hear = (type, properties) => hooks.event({ event: { id: "evt_" + type, type, properties } });
  hear("session.created", { sessionID: "ses_1", info });
  hear("session.status", { sessionID: "ses_1", status: { type: "busy" } });
  hear("permission.asked", { id: "per_1", sessionID: "ses_1", permission: "bash", patterns: [], metadata: {}, always: [] });
  const givenUp = Date.now() + 30_000;
  while (!existsSync(${JSON.stringify(journal)}) && Date.now() < givenUp) await new Promise((go) => setTimeout(go, 20));
  await hooks.dispose();
`;
