import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../rig/host/package-root.ts";
import { needs } from "../rig/needs.ts";
import { textLayer } from "../rig/picture/draw.ts";
import { type Played, picture, playDemo } from "../rig/picture/play.ts";
import { runIn } from "../server/cli/built-command.ts";

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
)("the demo, played on the real host", () => {
  let played: Played;
  beforeAll(async () => {
    played = await playDemo();
  }, 300_000);
  afterAll(() => played?.remove());

  async function why(...args: string[]): Promise<string> {
    const command = join(packageRoot(), "dist/server/cli/main.js");
    const env = { PATH: process.env.PATH, BECKON_STATE_DIR: played.state };
    const { code, stdout, stderr } = await runIn(played.state, env, process.execPath, [command, "why", ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  }

  test("prints what the picture in the README shows; «npm run picture» draws it anew", () => {
    expect(textLayer(played.svg)).toEqual(textLayer(readFileSync(picture, "utf8")));
  });

  test("leaves a journal of which beckon why explains every line in words", async () => {
    const written = readFileSync(join(played.state, "journal.jsonl"), "utf8").trimEnd().split("\n");
    const [day = "", ...explained] = (await why("--last", "1000")).trimEnd().split("\n");
    expect(day).toMatch(/^\w{3} \d{1,2} \w{3} \d{4}$/);
    expect(explained).toHaveLength(written.length);
    expect(explained.map((line) => line.replace(/^ {2}\d\d:\d\d:\d\d {2}/, ""))).toEqual([
      "Fix the login page            pause   called you: nobody was looking at it → banner",
      "Fix the login page            pause   taken back: it was answered",
      "Fix the login page            done    called you: nobody was looking at it → banner",
      "Choose a colour               pause   called you: nobody was looking at it → banner",
      "Choose a colour               pause   taken back: it was answered",
      "Choose a colour               done    silent: the round only answered or wrote todos, no real tool ran",
      "Add a test                    done    called you: nobody was looking at it → banner",
      "Plan the week                 done    silent: the round only answered or wrote todos, no real tool ran",
      "Ask a colleague               done    silent: it was a subagent's session; its parent tells you",
      "Ask a colleague               done    silent: the round only handed work to subagents",
      "Rewrite everything            error   silent: you stopped it yourself",
      "Use the wrong key             error   called you: nobody was looking at it → banner",
      "Try, try again                done    called you: nobody was looking at it → banner",
    ]);
  });
});
