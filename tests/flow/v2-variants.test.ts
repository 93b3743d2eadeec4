import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { tool } from "../conformance/deeds.ts";
import type { Faults } from "../conformance/server-context.ts";
import type { ProcessOptions } from "../conformance/server-process.ts";
import { tellStories } from "../conformance/stories.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import * as asking from "../scenarios/asking.ts";
import { fits, inWords, linesOf, type Scenario } from "../scenarios/scenario.ts";
import * as stopping from "../scenarios/stopping.ts";
import * as working from "../scenarios/working.ts";
import { inEnglish } from "./v1/english.ts";

/** Enough of the shared stories to need every event and every question to the host. */
const stories: Scenario[] = [
  working.realWork,
  working.subagentAndOwnWork,
  working.pureAnswer,
  asking.permissionAnswered,
  asking.questionThenWork,
  asking.questionDismissed,
  asking.childPermission,
  stopping.abortedAtWork,
  stopping.refusedByTheModel,
];

/** Hosts that differ where the contract says not to rely on them. */
const variants: { title: string; process?: ProcessOptions; faults?: Faults }[] = [
  { title: "speaks as the July alpha did", process: { spelling: "alpha" } },
  { title: "tells the location of every event (§4.1)", process: { locations: "always" } },
  { title: "tells no location at all (§4.1)", process: { locations: "never" } },
  { title: "lays session.created out as 1.x did (§4.5)", process: { created: "nested" } },
  { title: "lacks what came after 2.0.15 (§3.1)", process: { newer: false } },
  { title: "rejects whenever a session is asked for", faults: { get: "reject" } },
  {
    title: "never answers when asked for messages or permissions",
    faults: { context: "hang", permissionList: "hang" },
  },
];

needs("dbus-daemon")("the same is decided on a host that", () => {
  let desktop: Awaited<ReturnType<typeof startAcceptingDesktop>>;
  beforeAll(async () => {
    desktop = await startAcceptingDesktop();
  });
  afterAll(() => desktop?.close());

  describe.each(variants)("$title", ({ process, faults = {} }) => {
    let host: ConformanceHost;
    beforeAll(async () => {
      host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env }, ...(process ? { process } : {}) });
      Object.assign(host.server.faults, faults);
    });
    afterAll(() => host?.close());

    test.each(stories)("$title", async (scenario) => {
      const story = await scenario.play(host);
      const lines = async () => linesOf(await host.decisions(), story);
      await waitUntil("its decisions", async () => fits(await lines(), scenario)).catch(() => {});
      expect((await lines()).map(inWords).map(withoutAlert)).toEqual(scenario.decisions.map(withoutAlert));
    });
  });

  test("sets the plugin up after the session's first events: that round is told as far as it was heard", async () => {
    const host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env }, process: { activation: "late" } });
    const session = await host.newSession();
    await host.prompt(session, "[bash echo late]");
    await host.decided((line) => line.sessionID === session && line.outcome === "delivered");
    await host.close();
  });

  test("shows a form that belongs to no session: it is told once, and taken back", async () => {
    const host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
    const owner = { directory: host.home.project };
    const { form } = host.server.forms.create({ owner, title: "Sign in", fields: [{ key: "code", type: "external" }] });
    await host.decided((line) => line.requestID === form.id && line.outcome === "delivered");
    host.server.forms.reply(form.id, {});
    await host.decided((line) => line.requestID === form.id && line.outcome === "withdrawn");
    await host.settled();
    const lines = (await host.decisions()).filter(({ requestID }) => requestID === form.id);
    expect(lines.map(inWords)).toEqual(["pause delivered unattended", "pause withdrawn answered"]);
    expect(lines[0]?.sessionID).toBe("global");
    await host.close();
  });

  test("moves a session to another directory, and closes the first", async () => {
    const host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
    const { server, home } = host;
    const elsewhere = { directory: home.root };
    const { session } = await tellStories(server, { directory: home.project });
    const S = session("moved").typed().step(tool("shell"));
    await server.api.move(S.id, elsewhere);
    await server.close({ directory: home.project });
    S.step().succeeds();
    await host.decided((line) => line.sessionID === S.id && inWords(line) === "done delivered unattended");
    await host.close();
  });

  test("stops in an orderly way: what runs is interrupted, nothing is told, nothing stays", async () => {
    const host = await startConformanceHost({ env: { ...inEnglish, ...desktop.env } });
    const session = await host.newSession();
    await host.prompt(session, "[multi bash echo one|hang]");
    await waitFor("the second step", () => host.server.api.context(session).at(2));
    await host.server.stop();
    expect(host.server.streams.count()).toBe(0);
    expect((await host.decisions()).filter(({ outcome }) => outcome === "delivered")).toEqual([]);
    expect(host.server.warnings).toEqual([]);
    await host.close();
  });
});

/** Which of "done" and "error" a stop is filed under is not the same on all of them. */
const withoutAlert = (words: string) => words.replace(/^(done|error) (?=silent)/, "");
