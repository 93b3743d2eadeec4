import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import type { JournalLine } from "../scenarios/host-under-test.ts";
import { fits, inWords, linesOf, type Played, type Scenario } from "../scenarios/scenario.ts";
import { scenarios } from "../scenarios/scenarios.ts";
import { deletedWhileBusy } from "../scenarios/stopping.ts";
import { inEnglish } from "./v1/english.ts";
import { reaches, seenUnder } from "./v1/shown.ts";

/** What 1.18 calls a tool or an error, and 2.x otherwise (opencode 2.0.26). */
const words2x: Record<string, string> = { bash: "shell", APIError: "provider.auth" };
const shows2x = ({ shows }: Scenario) =>
  shows.map((body) => body.replace(/bash|APIError/, (word) => words2x[word] ?? word));

/**
 * The bodies as far as the story says them. Here two answers come within one moment, so that what only one of them would
 * have changed a banner to need not have been shown.
 */
function asTold(shown: string[], scenario: Scenario): string[] {
  const wanted = shows2x(scenario);
  const overtaken = wanted.filter((_, at) => wanted[at - 1]?.startsWith("2 requests") !== true);
  const like = shown.length < wanted.length ? overtaken : wanted;
  return shown.map((body, at) => body.slice(0, like[at]?.length)).join() === like.join() ? wanted : shown;
}

/** On 2.x a run is stopped before its session is deleted, and that end is decided like any other (§4.5, recorded round). */
const decisions2x = (scenario: Scenario) => (scenario === deletedWhileBusy ? ["silent aborted"] : scenario.decisions);
const fits2x = (lines: JournalLine[], scenario: Scenario) =>
  fits(lines, { ...scenario, decisions: decisions2x(scenario) });

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
      () => `the decisions ${decisions2x(scenario).join(", ")}`,
      async () => fits2x(await lines(story), scenario),
    ).catch(async () => expect((await lines(story)).map(inWords)).toEqual(decisions2x(scenario)));
    const shown = await shownOf(story);
    expect(asTold(shown, scenario)).toEqual(shows2x(scenario));
  });

  test("nothing more than that, however long they wait", async () => {
    await host.settled();
    for (const [scenario, story] of played) {
      const words = (await lines(story)).map(inWords);
      expect({ of: scenario.title, words, fits: fits2x(await lines(story), scenario) }).toMatchObject({ fits: true });
      expect(asTold(await shownOf(story), scenario)).toEqual(shows2x(scenario));
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
