import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { fits, inWords, linesOf, type Played, type Scenario } from "../scenarios/scenario.ts";
import { scenarios } from "../scenarios/scenarios.ts";
import { inEnglish } from "./v1/english.ts";
import { reaches, seenUnder } from "./v1/shown.ts";

/** What 1.18 calls a tool or an error, and 2.x otherwise (contracts/opencode-v2.md sections 4.2, 5.3). */
const words2x: Record<string, string> = { bash: "shell", APIError: "provider.auth" };
const shows2x = ({ shows }: Scenario) =>
  shows.map((body) => body.replace(/bash|APIError/, (word) => words2x[word] ?? word));

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
)("on a 2.x host, a person is told the same as on 1.18", () => {
  let desktop: Desktop;
  let host: ConformanceHost;
  const played = new Map<Scenario, Played>();

  beforeAll(async () => {
    desktop = await startDesktop();
    host = await startConformanceHost({ env: { ...inEnglish, ...reaches(desktop) } });
  });
  afterAll(async () => {
    await host?.close();
    await desktop?.close();
  });

  const lines = async (story: Played) => linesOf(await host.decisions(), story);
  const shownOf = async (story: Played) => {
    await desktop.settled();
    return seenUnder(desktop, story.roots.map(host.titleOf)).map(({ body }) => body);
  };

  test.each(scenarios)("$title", async (scenario) => {
    const story = await scenario.play(host);
    played.set(scenario, story);
    await waitUntil(
      () => `the decisions ${scenario.decisions.join(", ")}`,
      async () => fits(await lines(story), scenario),
    ).catch(async () => expect((await lines(story)).map(inWords)).toEqual(scenario.decisions));
    const shown = await shownOf(story);
    const wanted = shows2x(scenario);
    expect(shown.map((body, at) => body.slice(0, wanted[at]?.length))).toEqual(wanted);
  });

  test("nothing more than that, however long they wait", async () => {
    await host.settled();
    for (const [scenario, story] of played) {
      const words = (await lines(story)).map(inWords);
      expect({ of: scenario.title, words, fits: fits(await lines(story), scenario) }).toMatchObject({ fits: true });
      expect(await shownOf(story)).toHaveLength(scenario.shows.length);
    }
  });

  test("nothing for a round that no typed prompt started", async () => {
    const session = await host.newSession();
    await host.promptSynthetic(session, "[bash echo synthetic]");
    await host.ended(session);
    await host.settled();
    const story = { roots: [session], asks: [] };
    expect((await lines(story)).map(inWords)).toEqual(["done silent synthetic"]);
    expect(await shownOf(story)).toEqual([]);
  });
});
