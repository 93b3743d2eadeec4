import type { Ask, HostUnderTest } from "./host-under-test.ts";
import type { Scenario } from "./scenario.ts";
import { permissionWaits, questionWaits, workFinished } from "./sentences.ts";

const announced = "pause delivered unattended";
const takenBack = "pause withdrawn answered";
const finished = "done delivered unattended";

/** Waits until a person would have been called. */
export const called = (host: HostUnderTest, ask: Ask) =>
  host.decided((line) => line.requestID === ask.requestID && line.outcome === "delivered");

async function ask(host: HostUnderTest, text: string, permissions: string[] = []) {
  const session = await host.newSession({ ask: permissions });
  await host.prompt(session, text);
  return { session, request: await host.nextAsk(session) };
}

/** One prompt, one ask, one thing a person does about it after having been called. */
const onceCalled =
  (text: string, permissions: string[], act: (host: HostUnderTest, requestID: string) => Promise<void>) =>
  async (host: HostUnderTest) => {
    const { session, request } = await ask(host, text, permissions);
    await called(host, request);
    await act(host, request.requestID);
    await host.ended(session);
    return { roots: [session], asks: [request] };
  };

export const permissionAnswered: Scenario = {
  title: "a permission that waits calls, and its banner goes when it is answered",
  play: onceCalled("[bash echo permitted]", ["bash"], (host, id) => host.reply(id, "once")),
  decisions: [announced, takenBack, finished],
  shows: [permissionWaits("bash"), workFinished],
};

export const permissionAnsweredAtOnce: Scenario = {
  title: "a permission another client answers at once calls nobody",
  async play(host) {
    const { session, request } = await ask(host, "[bash echo at once]", ["bash"]);
    await host.reply(request.requestID, "once");
    await host.ended(session);
    return { roots: [session], asks: [request] };
  },
  decisions: ["pause silent auto-answered", finished],
  shows: [workFinished],
};

export const questionAnswered: Scenario = {
  title: "a question calls; answering it is not work",
  play: onceCalled("[question]", [], (host, id) => host.answer(id)),
  decisions: [announced, takenBack, "done silent no-real-work"],
  shows: [questionWaits],
};

export const questionThenWork: Scenario = {
  title: "work after an answered question is announced",
  play: onceCalled("[multi question|bash echo after]", [], (host, id) => host.answer(id)),
  decisions: [announced, takenBack, finished],
  shows: [questionWaits, workFinished],
};

export const questionDismissed: Scenario = {
  title: "a dismissed question ends the round in silence",
  play: onceCalled("[question]", [], (host, id) => host.dismiss(id)),
  decisions: [announced, takenBack, "done silent dismissed"],
  shows: [questionWaits],
};

export const permissionRefused: Scenario = {
  title: "a refused permission ends the round in silence",
  play: onceCalled("[bash echo refused]", ["bash"], (host, id) => host.reply(id, "reject")),
  decisions: [announced, takenBack, "done silent dismissed"],
  shows: [permissionWaits("bash")],
};

export const permissionRefusedWithMessage: Scenario = {
  title: "a refusal with a message lets the model work on, and its end is announced",
  play: onceCalled("[multi bash echo refused|write notes.txt]", ["bash"], (host, id) =>
    host.reply(id, "reject", "Look before you run anything."),
  ),
  decisions: [announced, takenBack, finished],
  shows: [permissionWaits("bash"), workFinished],
};

export const equalPermissions: Scenario = {
  title: "two permissions with the same words are two calls",
  async play(host) {
    const { session, request: first } = await ask(host, "[multi bash echo same|bash echo same]", ["bash"]);
    await called(host, first);
    await host.reply(first.requestID, "once");
    const second = await host.nextAsk(session);
    await called(host, second);
    await host.reply(second.requestID, "once");
    await host.ended(session);
    return { roots: [session], asks: [first, second] };
  },
  decisions: [announced, takenBack, announced, takenBack, finished],
  shows: [permissionWaits("bash"), permissionWaits("bash"), workFinished],
};

export const permissionsTogether: Scenario = {
  title: "two permissions asked together are one call",
  async play(host) {
    const { session, request: first } = await ask(host, "[together bash echo one|bash echo two]", ["bash"]);
    const second = await host.nextAsk(session);
    await called(host, first);
    await host.reply(first.requestID, "once");
    await host.reply(second.requestID, "once");
    await host.ended(session);
    return { roots: [session], asks: [first, second] };
  },
  decisions: [announced, "pause silent batched", takenBack, finished],
  anyOrder: true, // the second is decided at once, the first when it has reached the screen
  shows: ["2 requests wait for you", permissionWaits("bash"), workFinished],
};

export const permissionForAlways: Scenario = {
  title: "a permission granted for always calls once",
  play: onceCalled("[multi bash printf one|bash printf two]", ["bash"], (host, id) => host.reply(id, "always")),
  decisions: [announced, takenBack, finished],
  shows: [permissionWaits("bash"), workFinished],
};

/** A subagent asks, and the session it works for goes on with work of its own. */
const childAsks =
  (text: string, permissions: string[], act: (host: HostUnderTest, requestID: string) => Promise<void>) =>
  async (host: HostUnderTest) => {
    const session = await host.newSession({ ask: permissions });
    await host.prompt(session, text);
    const request = await host.nextAsk();
    await called(host, request);
    await act(host, request.requestID);
    await host.ended(session);
    return { roots: [session], asks: [request] };
  };

export const childPermission: Scenario = {
  title: "a subagent's permission calls under the title of the session it works for",
  play: childAsks("[multi task {write child.txt}|bash echo own]", ["edit"], (host, id) => host.reply(id, "once")),
  decisions: [announced, takenBack, finished],
  shows: [permissionWaits("edit"), workFinished],
};

export const childQuestion: Scenario = {
  title: "a subagent's question calls under the title of the session it works for",
  play: childAsks("[multi task {question}|bash echo own]", [], (host, id) => host.answer(id)),
  decisions: [announced, takenBack, finished],
  shows: [questionWaits, workFinished],
};
