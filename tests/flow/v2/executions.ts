import { failing, text, tool } from "../../conformance/deeds.ts";
import { announced, failed, finished, gone, noWork, type Sequence } from "./sequence.ts";

/** §4.2 and §4.3: busy periods, how they end, and what reason they give. */
export const executions: Sequence[] = [
  {
    title: "a turn of one answer is no work",
    section: "4.2",
    play: ({ session }) => ({ roots: [session("plain").typed().step(text()).succeeds().id] }),
    decisions: [noWork],
  },
  {
    title: "a turn of several steps with tools is one end",
    section: "4.2",
    play: ({ session }) => ({
      roots: [session("steps").typed().step(tool("shell")).step(tool("edit")).step().succeeds().id],
    }),
    decisions: [finished],
  },
  {
    title: "prompts queued and steered while busy are drained in the same run: one end",
    section: "4.2",
    play({ session }) {
      const S = session("drained").typed().step(tool("shell"));
      S.typed("and this", { as: "steer" }).typed("then that", { delivery: "queue", as: "queue" });
      S.delivers("steer").step(tool("read")).step().delivers("queue").step().succeeds();
      return { roots: [S.id] };
    },
    decisions: [finished],
  },
  {
    title: "a prompt left unread gets a run of its own at once, and only that one's end is told",
    section: "4.2",
    async play({ session, until }) {
      const S = session("unread").typed().step(tool("shell"));
      S.typed("too late", { as: "late" }).succeeds();
      await until(S.id, "done deferred more-queued");
      S.starts().delivers("late").step().succeeds();
      return { roots: [S.id] };
    },
    decisions: ["done deferred more-queued", finished],
  },
  {
    title: "after a stop an unread prompt starts nothing; the next typed prompt takes it along",
    section: "4.2",
    async play({ session, until }) {
      const S = session("stopped").typed().step(tool("shell")).typed("unread", { as: "late" }).interrupted("user");
      await until(S.id, "error silent aborted");
      S.typed("go on").delivers("late").step(tool("shell")).succeeds();
      return { roots: [S.id] };
    },
    decisions: ["error silent aborted", finished],
  },
  {
    title: "clearing an undo is an empty run",
    section: "4.2",
    async play({ session, until }) {
      const S = session("undo").typed().step(tool("shell")).succeeds();
      await until(S.id, finished);
      S.starts().succeeds();
      return { roots: [S.id] };
    },
    decisions: [finished, "done withdrawn resumed", "done silent empty"],
  },
  {
    title: "an end whose start was not heard decides nothing",
    section: "4.2",
    play: ({ session, raw }) => {
      const S = session("late");
      raw({
        id: `evt_late_${S.id}`,
        created: Date.now(),
        type: "session.execution.succeeded",
        data: { sessionID: S.id },
      });
      return { roots: [S.id] };
    },
    decisions: [],
  },
  {
    title: "a failure after a step calls with its kind",
    section: "4.2",
    play: ({ session }) => {
      const error = { type: "provider.auth", message: "HTTP 401" };
      return { roots: [session("fails").typed().opensStep().stepFails(error).fails(error).id] };
    },
    decisions: [failed],
  },
  {
    title: "a failure before the first step calls",
    section: "4.2",
    play: ({ session }) => ({
      roots: [session("no-route").typed().fails({ type: "provider.no-route", message: "none" }).id],
    }),
    decisions: [failed],
  },
  {
    title: "a run that retried, worked and ended is done, and no error",
    section: "4.2",
    play: ({ session }) => {
      const S = session("recovers").typed().opensStep().retries(2).triesAgain().retries(3).triesAgain().begins("shell");
      return { roots: [S.finishes("shell").closesStep().step().succeeds().id] };
    },
    decisions: [finished],
  },
  {
    title: "a run that failed after its retries is one error",
    section: "4.2",
    play: ({ session }) => {
      const error = { type: "provider.internal", message: "Overloaded" };
      const S = session("exhausted").typed().opensStep().retries(2).triesAgain().retries(3).triesAgain();
      return { roots: [S.stepFails(error).fails(error).id] };
    },
    decisions: [failed],
  },
  {
    title: "an idle event after the real end is not a second end",
    section: "4.2",
    async play({ session, until }) {
      const S = session("legacy")
        .typed()
        .step(tool("shell"))
        .succeeds()
        .tells("session.status", { status: { type: "idle" } });
      await until(S.id, finished);
      S.tells("session.idle");
      return { roots: [S.id] };
    },
    decisions: [finished],
  },
  {
    title: "Esc is silent",
    section: "4.3",
    play: ({ session }) => ({ roots: [session("esc").typed().step(tool("shell")).opensStep().interrupted("user").id] }),
    decisions: ["error silent aborted"],
  },
  {
    title: "the server's own stop is silent",
    section: "4.3",
    play: ({ session }) => ({ roots: [session("shutdown").typed().step(tool("shell")).interrupted("shutdown").id] }),
    decisions: ["error silent shutdown"],
  },
  {
    title: "a superseded run is silent",
    section: "4.3",
    play: ({ session }) => ({
      roots: [session("superseded").typed().step(tool("shell")).interrupted("superseded").id],
    }),
    decisions: ["error silent superseded"],
  },
  {
    title: "a run the server gave up for inactivity calls",
    section: "4.3",
    play: ({ session }) => ({ roots: [session("inactive").typed().step(tool("shell")).interrupted("inactivity").id] }),
    decisions: [failed],
  },
  {
    title: "a reason nobody knows is somebody's stop",
    section: "4.3",
    play({ session, raw }) {
      const S = session("unknown").typed().step(tool("shell"));
      const data = { sessionID: S.id, reason: "eclipse" };
      raw({ id: `evt_unknown_${S.id}`, created: Date.now(), type: "session.execution.interrupted", data });
      return { roots: [S.id] };
    },
    decisions: ["error silent aborted"],
  },
  {
    title: "a tool that fails is told to the model alone",
    section: "4.2",
    play: ({ session }) => ({ roots: [session("tool-fails").typed().step(failing("edit")).step().succeeds().id] }),
    decisions: [noWork],
  },
  {
    title: "inactivity at a permission: the ask goes, the error is told",
    section: "4.3",
    async play({ session, until }) {
      const S = session("evicted").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.interrupted("inactivity");
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, gone, failed],
  },
];
