import { called } from "./asking.ts";
import type { HostUnderTest } from "./host-under-test.ts";
import type { Scenario } from "./scenario.ts";
import { permissionWaits, workFinished } from "./sentences.ts";
import { oneRound } from "./working.ts";

/** Stopped while a permission waits: a moment that every host and machine reaches. */
async function untilAsked(host: HostUnderTest) {
  const session = await host.newSession({ ask: ["bash"] });
  await host.prompt(session, "[multi write notes.txt|bash echo never]");
  const ask = await host.nextAsk(session);
  await called(host, ask);
  return { session, ask };
}

export const abortedAtAnAsk: Scenario = {
  title: "stopping a session at its question is silent and takes the banner back",
  async play(host) {
    const { session, ask } = await untilAsked(host);
    await host.abort(session);
    await host.ended(session);
    return { roots: [session], asks: [ask] };
  },
  decisions: ["pause delivered unattended", "pause withdrawn ended", "error silent aborted"],
  anyOrder: true, // the stop and the take-back are one moment
  shows: [permissionWaits("bash")],
};

export const abortedAtWork: Scenario = {
  title: "stopping a session that has worked is silent",
  async play(host) {
    const session = await host.newSession({ ask: ["bash"] });
    await host.prompt(session, "[multi bash echo work|hang]");
    const ask = await host.nextAsk(session);
    await host.reply(ask.requestID, "once"); // from here on it runs, and cannot end by itself
    await host.abort(session);
    await host.ended(session);
    return { roots: [session], asks: [ask] };
  },
  decisions: ["pause silent auto-answered", "silent aborted"],
  shows: [],
};

export const abortedWhileRetrying: Scenario = {
  title: "stopping a session that waits for another try of its model is silent",
  async play(host) {
    const session = await host.newSession();
    await host.prompt(session, "[http 503 3]");
    await host.retrying(session);
    await host.abort(session);
    await host.ended(session);
    return { roots: [session], asks: [] };
  },
  decisions: ["silent aborted"],
  shows: [],
};

export const refusedByTheModel: Scenario = {
  title: "an error that ends a session calls",
  play: oneRound("[http 401]"),
  decisions: ["error delivered unattended"],
  shows: ["Stopped with an error · APIError"],
};

export const recoveredWithoutWork: Scenario = {
  title: "a model that recovers and only answers is silent",
  play: oneRound("[http 429 1]"),
  decisions: ["done silent no-real-work"],
  shows: [],
};

export const recoveredAndWorked: Scenario = {
  title: "a model that recovers and then works is announced as done, not as an error",
  play: oneRound("[http 500 1|bash echo recovered]"),
  decisions: ["done delivered unattended"],
  shows: [workFinished],
};

export const deletedWhileBusy: Scenario = {
  title: "a session deleted while it works says nothing",
  async play(host) {
    const session = await host.newSession();
    await host.prompt(session, "[http 502 3]");
    await host.retrying(session);
    await host.remove(session);
    return { roots: [session], asks: [] };
  },
  decisions: [],
  shows: [],
};
