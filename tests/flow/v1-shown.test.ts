import { afterAll, beforeAll, expect, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { fits, inWords, linesOf, type Played, type Scenario } from "../scenarios/scenario.ts";
import { scenarios } from "../scenarios/scenarios.ts";
import { workFinished } from "../scenarios/sentences.ts";
import { inEnglish } from "./v1/english.ts";
import { displayedUnder, reaches, type Seen, seenUnder } from "./v1/shown.ts";

/** A pause is urgent and goes when it is answered; an end is not, and stays; an error is, and stays. */
function asSeen(scenario: Scenario): Seen[] {
  const answered = scenario.decisions.some((words) => words.startsWith("pause withdrawn"));
  return scenario.shows.map((body): Seen => {
    if (body.startsWith("2 requests")) return { body, urgency: "critical", end: "replaced" };
    const waits = body.includes("waits for you");
    const urgent = waits || body.startsWith("Stopped");
    return { body, urgency: urgent ? "critical" : "normal", end: waits && answered ? "taken back" : "up" };
  });
}

const cut = (seen: Seen[], like: Seen[]) =>
  seen.map((one, index) => ({ ...one, body: one.body.slice(0, like[index]?.body.length) }));

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
)("on the real opencode 1.18, a person sees", () => {
  let desktop: Desktop;
  let host: RealHost;
  const played = new Map<Scenario, Played>();

  beforeAll(async () => {
    desktop = await startDesktop();
    host = await startRealHost({ plugins: [packageRoot()], env: { ...inEnglish, ...reaches(desktop) } });
  });
  afterAll(async () => {
    await host?.close();
    await desktop?.close();
  });

  const lines = async (story: Played) => linesOf(await host.decisions(), story);
  const titles = (story: Played) => story.roots.map((session) => host.titleOf(session));

  async function seen(story: Played) {
    await desktop.settled();
    return seenUnder(desktop, titles(story));
  }

  test.each(scenarios)("$title", async (scenario) => {
    const story = await scenario.play(host);
    played.set(scenario, story);
    await waitUntil(
      () => `the decisions ${scenario.decisions.join(", ")}`,
      async () => fits(await lines(story), scenario),
    ).catch(async () => expect((await lines(story)).map(inWords)).toEqual(scenario.decisions));
    const wanted = asSeen(scenario);
    expect(cut(await seen(story), wanted)).toEqual(wanted);
    await waitUntil(
      () => `dunst to display ${scenario.shows.join(", ")}`,
      () => displayedUnder(desktop, titles(story)).length === scenario.shows.length,
    );
  });

  test("nothing more than that, however long they wait", async () => {
    await host.settled();
    for (const [scenario, story] of played) {
      const still = {
        of: scenario.title,
        fits: fits(await lines(story), scenario),
        banners: (await seen(story)).length,
      };
      expect(still).toEqual({ of: scenario.title, fits: true, banners: scenario.shows.length });
    }
  });

  test("many finished sessions as one banner beside the newest", async () => {
    const up = desktop.banners().filter((banner) => !banner.overwritten && banner.closed === undefined);
    const finished = up.filter((banner) => banner.body.startsWith(workFinished));
    const summaries = up.filter((banner) => / sessions finished/.test(banner.body));
    expect({ finished: finished.length, summaries: summaries.length }).toEqual({ finished: 2, summaries: 1 });
  });

  test("nothing when a round was not started by a typed prompt", async () => {
    const session = await host.newSession();
    await host.promptSynthetic(session, "[bash echo synthetic]");
    await host.ended(session);
    const story = { roots: [session], asks: [] };
    await host.settled();
    await desktop.settled();
    expect((await lines(story)).map(inWords)).toEqual(["done silent synthetic"]);
    expect(seenUnder(desktop, titles(story))).toEqual([]);
  });

  test("a permission for as long as it waits, whatever notice a plugin leaves in the session", async () => {
    const session = await host.newSession({ ask: ["bash"] });
    await host.prompt(session, "[bash echo noticed]");
    const ask = await host.nextAsk(session);
    await host.decided((line) => line.requestID === ask.requestID && line.outcome === "delivered");
    await host.notice(session, "Three old messages were left out");
    const story = { roots: [session], asks: [ask] };
    await host.settled();
    await desktop.settled();
    expect((await lines(story)).map(inWords)).toEqual(["pause delivered unattended"]);
    expect(displayedUnder(desktop, titles(story))).toHaveLength(1);
    await host.reply(ask.requestID, "once");
    await host.ended(session);
  });

  test("nothing on the host's own output", () => {
    const { stdout, stderr } = host.server.child;
    expect(stderr()).toBe("");
    expect(stdout().trim().split("\n")).toEqual([
      "Warning: OPENCODE_SERVER_PASSWORD is not set; server is unsecured.",
      `opencode server listening on ${host.server.url}`,
    ]);
  });
});
