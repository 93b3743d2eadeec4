import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { text, tool } from "../conformance/deeds.ts";
import type { Stories } from "../conformance/stories.ts";
import { tellStories } from "../conformance/stories.ts";
import { needs } from "../rig/needs.ts";
import { inWords, linesOf } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";
import { announced, askOf, finished, takenBack } from "./v2/sequence.ts";

needs("dbus-daemon")("when the only instance of the plugin hears nothing for a while", () => {
  let desktop: Awaited<ReturnType<typeof startAcceptingDesktop>>;
  let host: ConformanceHost;
  let stories: Stories;

  beforeAll(async () => {
    desktop = await startAcceptingDesktop();
  });
  beforeEach(async () => {
    host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
    stories = await tellStories(host.server, { directory: host.home.project });
  });
  afterEach(() => host?.close());
  afterAll(() => desktop?.close());

  const until = (id: string, words: string) =>
    host.decided((line) => (line.requestID ?? line.sessionID) === id && inWords(line) === words);
  const decisionsOf = async (sessionID: string, asks: string[] = []) =>
    linesOf(await host.decisions(), { roots: [sessionID], asks: asks.map(askOf) }).map(inWords);

  /** Every subscription breaks; what `meanwhile` writes in the same moment is heard by nobody. */
  function outage(how: "throw" | "end", meanwhile: () => void) {
    host.server.breakStreams(how);
    expect(host.server.streams.count()).toBe(0);
    meanwhile();
  }

  test.each(["throw", "end"] as const)("an ask answered meanwhile is taken back (%s)", async (how) => {
    const S = stories.session("answered").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
    await until(S.ask("p"), announced);
    outage(how, () => S.replied("p"));
    await until(S.ask("p"), takenBack);
    S.finishes("shell").closesStep().step().succeeds();
    await until(S.id, finished);
    await host.settled();
    expect(await decisionsOf(S.id, [S.ask("p")])).toEqual([announced, takenBack, finished]);
  });

  test.each(["throw", "end"] as const)("an end that came meanwhile is told, once (%s)", async (how) => {
    const S = stories.session("ended").typed().step(tool("shell"));
    await until(await marker(), finished);
    outage(how, () => S.step(text()).succeeds());
    await until(S.id, finished);
    await host.settled();
    expect(await decisionsOf(S.id)).toEqual([finished]);
  });

  test("an ask that came meanwhile calls", async () => {
    const S = stories.session("asked").typed().step(tool("read"));
    await until(await marker(), finished);
    outage("end", () => S.opensStep().begins("shell").asks("p", { forTool: "shell" }));
    await until(S.ask("p"), announced);
    S.replied("p").finishes("shell").closesStep().succeeds();
    await until(S.id, finished);
  });

  test.each(["throw", "end"] as const)(
    "a question, which no host can be asked for, is heard a moment later (%s)",
    async (how) => {
      const S = stories.session("question").typed().opensStep().begins("question");
      outage(how, () => {});
      await new Promise<void>((resolve) => setImmediate(resolve));
      S.shows("f", { forTool: "question" });
      await until(S.ask("f"), announced);
      S.answered("f").finishes("question").closesStep().succeeds();
      await until(S.ask("f"), takenBack);
    },
  );

  test("a reload in the middle of a run loses neither its work nor its end", async () => {
    const S = stories.session("reloaded").typed().step(tool("shell"));
    await until(await marker(), finished);
    await host.server.reload();
    S.step(text()).succeeds();
    await until(S.id, finished);
    await host.settled();
    expect(await decisionsOf(S.id)).toEqual([finished]);
  });

  test("an end that comes between an instance's clean-up and the next one's setup is told, once", async () => {
    const S = stories.session("gap").typed().step(tool("shell"));
    await until(await marker(), finished);
    const reloading = host.server.reload();
    while (host.server.streams.count() > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    S.step(text()).succeeds();
    await reloading;
    await until(S.id, finished);
    await host.settled();
    expect(await decisionsOf(S.id)).toEqual([finished]);
  });

  test("an ask answered in that gap is taken back", async () => {
    const S = stories.session("gap-asked").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
    await until(S.ask("p"), announced);
    const reloading = host.server.reload();
    while (host.server.streams.count() > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    S.replied("p");
    await reloading;
    await until(S.ask("p"), takenBack);
    S.finishes("shell").closesStep().succeeds();
    await until(S.id, finished);
  });

  /** A session of its own that is done: everything sent before it has been heard. */
  async function marker() {
    return stories.session("marker").typed().step(tool("shell")).succeeds().id;
  }
});
