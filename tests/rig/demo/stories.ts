import { waitUntil } from "../host/wait-for.ts";
import type { ModelRequest } from "../model/request.ts";
import type { Stage } from "./stage.ts";

export type Story = { title: string; play(stage: Stage): Promise<void> };

const called = "delivered unattended";
const takenBack = "withdrawn answered";

async function permission({ host, expects }: Stage) {
  const session = await host.newSession({ ask: ["bash"], title: "Fix the login page" });
  await host.prompt(session, "[multi write notes.txt|bash echo tests pass]");
  const { requestID } = await host.nextAsk(session);
  await expects("asks whether it may run a command", session, `pause ${called}`);
  await host.reply(requestID, "once");
  await expects("gets its permission", session, `pause ${takenBack}`);
  await host.ended(session);
  await expects("runs it, and is done", session, `done ${called}`);
}

async function question({ host, expects }: Stage) {
  const session = await host.newSession({ title: "Choose a colour" });
  await host.prompt(session, "[question]");
  const { requestID } = await host.nextAsk(session);
  await expects("asks which colour it shall be", session, `pause ${called}`);
  await host.answer(requestID);
  await expects("gets its answer", session, `pause ${takenBack}`);
  await host.ended(session);
  await expects("says thank you, and is done", session, "done silent no-real-work");
}

/** A round that nobody interrupts: one prompt, one end, one decision. */
const round = (title: string, prompt: string, doing: string, decision: string) => async (stage: Stage) => {
  const { host, says, expects } = stage;
  const session = await host.newSession({ title });
  await host.prompt(session, prompt);
  says(doing);
  await host.ended(session);
  await expects("is done", session, decision);
};

async function abort({ host, says, expects }: Stage) {
  const session = await host.newSession({ title: "Rewrite everything" });
  await host.prompt(session, "[multi bash echo started|hang]");
  says("works");
  const hangs = ({ prompt, roundsDone }: ModelRequest) => prompt.includes("echo started") && roundsDone === 1;
  await waitUntil("the model to hang after its first step", () => host.model.requests().some(hangs));
  await host.abort(session);
  await host.ended(session);
  await expects("is stopped by you", session, "error silent aborted");
}

async function refusedByTheModel({ host, expects }: Stage) {
  const session = await host.newSession({ title: "Use the wrong key" });
  await host.prompt(session, "[http 401]");
  await host.ended(session);
  await expects("cannot go on: the model refuses its key (401)", session, `error ${called}`);
}

async function recovers({ host, says, expects }: Stage) {
  const session = await host.newSession({ title: "Try, try again" });
  await host.prompt(session, "[http 503 1|bash echo recovered]");
  await host.retrying(session);
  says("finds the model overloaded (503), and waits");
  await host.ended(session);
  await expects("tries again, works, and is done", session, `done ${called}`);
}

/** The demo, in the order in which it is played. */
export const stories: Story[] = [
  { title: "A permission waits", play: permission },
  { title: "A question waits", play: question },
  {
    title: "Real work",
    play: round(
      "Add a test",
      "[multi write notes.txt|write test.txt|bash echo ok]",
      "writes two files, runs them",
      `done ${called}`,
    ),
  },
  {
    title: "Only bookkeeping",
    play: round("Plan the week", "[todo]", "updates its todo list", "done silent no-real-work"),
  },
  {
    title: "Only a subagent",
    play: round(
      "Ask a colleague",
      "[task {bash echo looking}]",
      "sends out a subagent, which works",
      "done silent delegated",
    ),
  },
  { title: "You stop it", play: abort },
  { title: "The session dies", play: refusedByTheModel },
  { title: "The model recovers", play: recovers },
];
