import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { inEnglish } from "./v1/english.ts";

/** What a repository can bring (git keeps links), and what another program can leave in our own folders. */
describe("files that somebody planted, on the real opencode 1.18", () => {
  let host: RealHost;

  beforeAll(async () => {
    host = await startRealHost({ plugins: [packageRoot()], env: inEnglish });
  });
  afterAll(() => host?.close());

  async function status(): Promise<string | undefined> {
    const sessionID = await host.newSession();
    const prompt = "[call beckon_status {}]";
    await host.prompt(sessionID, prompt);
    await host.ended(sessionID);
    return host.model
      .requests()
      .filter((request) => request.prompt.includes(prompt))
      .at(-1)
      ?.answers.at(-1);
  }

  function plant(path: string, what: string): void {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    if (what === "a pipe") execFileSync("mkfifo", [path]);
    else if (what === "a huge file") writeFileSync(path, `{"a":"${"x".repeat(1e8)}"}`);
    else if (what === "three million brackets") writeFileSync(path, "[".repeat(3e6));
    else symlinkSync(what, path);
  }

  const kinds = ["/dev/random", "/dev/zero", "a pipe", "a huge file", "three million brackets"];

  test.each(kinds)("a project's tui.json that is %s holds no tool and no host up", async (what) => {
    plant(join(host.home.project, ".opencode/tui.json"), what);
    expect(await status()).toContain("opencode-beckon");
  });

  test.each(kinds)("nor do our own configuration, mute and journal that are %s", async (what) => {
    const { beckonConfig, beckonState } = host.home;
    for (const path of [beckonConfig, join(beckonState, "mute.json"), join(beckonState, "journal.jsonl")])
      plant(path, what);
    expect(await status()).toContain("configuration NOT in force");
  });
});
