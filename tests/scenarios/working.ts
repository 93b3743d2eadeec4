import type { HostUnderTest } from "./host-under-test.ts";
import type { Scenario } from "./scenario.ts";
import { workFinished } from "./sentences.ts";

const finished = "done delivered unattended";

/** One prompt, and nothing but waiting for its end. */
export const oneRound = (text: string) => async (host: HostUnderTest) => {
  const session = await host.newSession();
  await host.prompt(session, text);
  await host.ended(session);
  return { roots: [session], asks: [] };
};

export const realWork: Scenario = {
  title: "finished work is announced once",
  play: oneRound("[multi bash echo one|write notes.txt|bash echo two]"),
  decisions: [finished],
  shows: [workFinished],
};

export const pureAnswer: Scenario = {
  title: "an answer without any work is silent",
  play: oneRound("[plain] What is the time?"),
  decisions: ["done silent no-real-work"],
  shows: [],
};

export const todoOnly: Scenario = {
  title: "keeping the todo list is not work",
  play: oneRound("[todo]"),
  decisions: ["done silent no-real-work"],
  shows: [],
};

export const subagentOnly: Scenario = {
  title: "a round that only sends out a subagent is silent",
  play: oneRound("[task {bash echo from the child}]"),
  decisions: ["done silent delegated"],
  shows: [],
};

export const subagentAndOwnWork: Scenario = {
  title: "a round with a subagent and work of its own is announced once",
  play: oneRound("[multi task {bash echo from the child}|bash echo own]"),
  decisions: [finished],
  shows: [workFinished],
};

export const twoSessions: Scenario = {
  title: "two sessions at the same time are announced once each",
  async play(host) {
    const roots = [await host.newSession(), await host.newSession()];
    await Promise.all(roots.map((session) => host.prompt(session, "[multi bash echo one|bash echo two]")));
    await Promise.all(roots.map((session) => host.ended(session)));
    return { roots, asks: [] };
  },
  decisions: [finished, finished],
  shows: [workFinished, workFinished],
  anyOrder: true,
};

export const queuedPrompt: Scenario = {
  title: "a prompt queued into a running round joins it: one announcement",
  async play(host) {
    const session = await host.newSession();
    await host.prompt(session, "[multi bash sleep 2|bash echo first]");
    await host.prompt(session, "[bash echo second]");
    await host.ended(session);
    return { roots: [session], asks: [] };
  },
  decisions: [finished],
  shows: [workFinished],
};
