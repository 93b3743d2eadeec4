import { execute, failing, text, tool } from "../../conformance/deeds.ts";
import { announced, finished, noWork, type Sequence, takenBack } from "./sequence.ts";

/** §4.5, §4.7 and §5: what sessions are called, how they go, who looked, and what counts as work. */
export const sessions: Sequence[] = [
  {
    title: "a fork is not a child: its end is told",
    section: "4.5",
    play({ session, fork }) {
      const F = fork(session("forked"), "fork").typed().step(tool("shell")).succeeds();
      return { roots: [F.id] };
    },
    decisions: [finished],
  },
  {
    title: "a child whose creation was not heard is still a child",
    section: "4.5",
    play({ session, child }) {
      const S = session("unheard").typed().opensStep();
      const C = child(S, "unheard", { announced: false }).typed().step(tool("shell")).succeeds();
      S.closesStep().step().succeeds();
      return { roots: [S.id, C.id] };
    },
    decisions: [noWork],
  },
  {
    title: "a session deleted within the settle window of its end calls nobody",
    section: "4.5",
    play: ({ session }) => ({ roots: [session("deleted").typed().step(tool("shell")).succeeds().deleted().id] }),
    decisions: ["done silent superseded"],
  },
  {
    title: "a command the person runs is an empty run",
    section: "4.5",
    play({ session }) {
      const S = session("user-shell").tells("session.shell.started", { shellID: "sh_1" });
      return { roots: [S.tells("session.shell.ended", { shellID: "sh_1" }).starts().succeeds().id] };
    },
    decisions: ["done silent empty"],
  },
  {
    title: "a compaction the person asked for is an empty run",
    section: "4.5",
    play({ session }) {
      const S = session("compaction").enqueues({ type: "compaction", payload: {}, delivery: "steer" }, "c");
      return { roots: [S.starts().delivers("c").compacts("manual").succeeds().id] };
    },
    decisions: ["done silent empty"],
  },
  {
    title: "a compaction in the middle of a round does not take its work away",
    section: "4.5",
    play: ({ session }) => ({
      roots: [session("compacts").typed().step(tool("shell")).compacts("auto").step().succeeds().id],
    }),
    decisions: [finished],
  },
  {
    title: "a plugin's note starts a round nobody typed",
    section: "5.3",
    play: ({ session }) => ({ roots: [session("note").woken({ source: "plugin" }).step(tool("shell")).succeeds().id] }),
    decisions: ["done silent synthetic"],
  },
  {
    title: "the notice of a restart starts a round nobody typed",
    section: "4.6",
    play: ({ session }) => ({
      roots: [session("restart").woken({ notice: "restart" }).step(tool("shell")).succeeds().id],
    }),
    decisions: ["done silent synthetic"],
  },
  {
    title: "the host says that somebody looked: the banner of the end goes",
    section: "4.7",
    async play({ session, until }) {
      const S = session("viewed").typed().step(tool("shell")).succeeds();
      await until(S.id, finished);
      S.viewed();
      return { roots: [S.id] };
    },
    decisions: [finished, "done withdrawn seen"],
  },
  {
    title: "somebody looked before the banner was due: it never comes",
    section: "4.7",
    play: ({ session }) => ({ roots: [session("seen").typed().step(tool("shell")).succeeds().viewed().id] }),
    decisions: ["done suppressed attended"],
  },
  {
    title: "looking at a session does not answer what it asks",
    section: "4.7",
    async play({ session, until }) {
      const S = session("looked").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.viewed().replied("p").finishes("shell").closesStep().succeeds();
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "todo list, question and skill are no work",
    section: "5.3",
    play: ({ session }) => ({
      roots: [session("todo").typed().step(tool("todowrite"), tool("skill")).step().succeeds().id],
    }),
    decisions: [noWork],
  },
  {
    title: "code mode that did something is work",
    section: "5.3",
    play: ({ session }) => ({ roots: [session("code").typed().step(execute("shell")).step().succeeds().id] }),
    decisions: [finished],
  },
  {
    title: "a round whose only tools failed is no work",
    section: "5.3",
    play: ({ session }) => ({
      roots: [session("failures").typed().step(failing("edit"), failing("shell")).step().succeeds().id],
    }),
    decisions: [noWork],
  },
  {
    title: "the second round counts its own work only",
    section: "5.3",
    async play({ session, until }) {
      const S = session("second").typed().step(tool("shell")).succeeds();
      await until(S.id, finished);
      S.typed("thanks").step(text()).succeeds();
      return { roots: [S.id] };
    },
    decisions: [finished, "done withdrawn resumed", noWork],
  },
  {
    title: "an event nobody knows, and fields nobody expects, change nothing",
    section: "10",
    play({ session }) {
      const S = session("strange").typed().tells("session.constellation.aligned", { stars: null });
      S.tells("session.step.started", { assistantMessageID: null }).tells("session.tool.success", { id: 7 });
      return { roots: [S.step(tool("shell")).succeeds().id] };
    },
    decisions: [finished],
  },
];
