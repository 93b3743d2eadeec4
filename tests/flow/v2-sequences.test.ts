import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { tellStories } from "../conformance/stories.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { inWords, linesOf } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";
import { asks } from "./v2/asks.ts";
import { children } from "./v2/children.ts";
import { executions } from "./v2/executions.ts";
import { askOf, type Played, type Sequence, type Told } from "./v2/sequence.ts";
import { sessions } from "./v2/sessions.ts";

const inOrder = ({ anyOrder = false }: Sequence, words: string[]) => (anyOrder ? words.toSorted() : words);

needs("dbus-daemon")("every sequence of the 2.x contract is decided as it says", () => {
  let desktop: Awaited<ReturnType<typeof startAcceptingDesktop>>;
  let host: ConformanceHost;
  let told: Told;
  const played = new Map<Sequence, Played>();

  beforeAll(async () => {
    desktop = await startAcceptingDesktop();
    host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
    told = {
      ...(await tellStories(host.server, { directory: host.home.project })),
      async until(id, words) {
        await host.decided((line) => (line.requestID ?? line.sessionID) === id && inWords(line) === words);
      },
      raw: (event) => void host.server.publisher.raw(event),
    };
  });
  afterAll(async () => {
    await host?.close();
    await desktop?.close();
  });

  /** That many ends are told in one banner is a story of all of them together. */
  const decisionsOf = async ({ roots, asks: requests = [] }: Played) =>
    linesOf(await host.decisions(), { roots, asks: requests.map(askOf) })
      .filter(({ reason }) => reason !== "summarised")
      .map(inWords);

  describe.concurrent("one by one", () => {
    test.each([executions, asks, sessions, children].flat().map((each) => ({ ...each, sequence: each })))(
      "§$section: $title",
      async ({ sequence }) => {
        const story = await sequence.play(told);
        played.set(sequence, story);
        await waitUntil(
          "its decisions",
          async () => (await decisionsOf(story)).length >= sequence.decisions.length,
        ).catch(() => {}); // the comparison says what is missing
        expect(inOrder(sequence, await decisionsOf(story))).toEqual(inOrder(sequence, sequence.decisions));
      },
    );
  });

  test("and nothing is decided a second time", async () => {
    await host.settled();
    for (const [sequence, story] of played) {
      const { title, decisions } = sequence;
      const got = inOrder(sequence, await decisionsOf(story));
      expect({ title, decisions: got }).toEqual({ title, decisions: inOrder(sequence, decisions) });
    }
  });
});
