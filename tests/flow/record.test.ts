import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { replay } from "../../src/server/replay/replay.ts";
import { startDesktop } from "../rig/desktop/desktop.ts";
import { startChild } from "../rig/host/child.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { startRealHost } from "../rig/host/real-host.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { childPermission, permissionAnswered, questionDismissed } from "../scenarios/asking.ts";
import { playAndSettle } from "../scenarios/scenario.ts";
import { abortedAtWork, refusedByTheModel } from "../scenarios/stopping.ts";
import { pureAnswer, realWork, subagentAndOwnWork, todoOnly } from "../scenarios/working.ts";
import { buildCommand } from "../server/cli/built-command.ts";
import { findRelay } from "./relay/find-relay.ts";
import { inEnglish } from "./v1/english.ts";
import { reaches } from "./v1/shown.ts";

let command: Awaited<ReturnType<typeof buildCommand>>;
beforeAll(async () => {
  command = await buildCommand();
});
afterAll(() => command?.remove());

const played = [
  realWork,
  pureAnswer,
  todoOnly,
  permissionAnswered,
  questionDismissed,
  childPermission,
  subagentAndOwnWork,
  abortedAtWork,
  refusedByTheModel,
];

type Told = { sessionID: string; alert: string; outcome: string; reason: string };

/** Banners of ended rounds give way to a summary by how many sessions there are; that is no session's own story. */
const words = (lines: readonly Told[], sessionID: string): string[] =>
  lines
    .filter((line) => line.sessionID === sessionID && line.reason !== "summarised")
    .map(({ alert, outcome, reason }) => `${alert} ${outcome} ${reason}`);

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
)("a recording of the real opencode", () => {
  test("decides again what was decided live, and holds no text of the person's", async () => {
    const desktop = await startDesktop();
    onTestFinished(() => desktop.close());
    const host = await startRealHost({ plugins: [packageRoot()], env: { ...inEnglish, ...reaches(desktop) } });
    onTestFinished(() => host.close());
    const file = join(host.home.project, "trouble.jsonl");
    await waitUntil("the relay to be announced", () => findRelay(host.home) !== undefined);
    const recorder = startChild(process.execPath, [command.main, "record", file], {
      cwd: host.home.project,
      env: host.home.env,
    });
    onTestFinished(() => recorder.end().then(() => undefined));
    await waitUntil("the recording to run", () => recorder.stderr().includes("Recording; Ctrl-C ends it"));

    const sessions = new Set<string>();
    for (const scenario of played) {
      const { roots } = await playAndSettle(scenario, host);
      for (const root of roots) sessions.add(root);
    }
    const live = await host.decisions();
    process.kill(recorder.pid, "SIGINT");
    await recorder.exited;

    const trace = readFileSync(file, "utf8");
    const again = await replay(trace);
    if (!again.ok) throw new Error(JSON.stringify(again.error));
    for (const sessionID of sessions) expect(words(again.value, sessionID)).toEqual(words(live, sessionID));
    expect(trace).not.toMatch(/echo |\[bash|\[question|Scripted|marker|\/tmp\//);
  }, 300_000);
});
