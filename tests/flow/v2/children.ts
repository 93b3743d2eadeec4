import { tool } from "../../conformance/deeds.ts";
import { announced, finished, type Sequence, takenBack } from "./sequence.ts";

const waits = "done deferred children-running";
const done = { status: "completed" };
const background = (sessionID: string) => ({ sessionID, status: "running" });
const result = (childID: string, state = "completed") => ({ source: "subagent", childID, agent: "general", state });

/** §4.6: subagents in the foreground and in the background, and shells in the background. */
export const children: Sequence[] = [
  {
    title: "a subagent's own end is not told",
    section: "4.6",
    play({ session, child }) {
      const S = session("foreground").typed().opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").step(tool("shell")).succeeds();
      S.finishes("subagent", { ...done, sessionID: C.id })
        .closesStep()
        .step(tool("edit"))
        .step()
        .succeeds();
      return { roots: [S.id] };
    },
    decisions: [finished],
  },
  {
    title: "a round that only sends out a subagent is silent",
    section: "4.6",
    play({ session, child }) {
      const S = session("delegates").typed().opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").step(tool("shell")).succeeds();
      return {
        roots: [
          S.finishes("subagent", { ...done, sessionID: C.id })
            .closesStep()
            .step()
            .succeeds().id,
        ],
      };
    },
    decisions: ["done silent delegated"],
  },
  {
    title: "a subagent that fails is a result for its parent, which goes on",
    section: "4.6",
    play({ session, child }) {
      const S = session("child-fails").typed().opensStep().begins("subagent");
      child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").fails();
      return { roots: [S.breaks("subagent").closesStep().step(tool("shell")).step().succeeds().id] };
    },
    decisions: [finished],
  },
  {
    title: "a subagent's permission calls, and its answer takes the banner back",
    section: "4.6",
    async play({ session, child, until }) {
      const S = session("child-asks").typed().opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").opensStep().begins("edit");
      C.asks("p", { action: "edit", forTool: "edit" });
      await until(C.ask("p"), announced);
      C.replied("p").finishes("edit").closesStep().succeeds();
      S.finishes("subagent", { ...done, sessionID: C.id })
        .closesStep()
        .step(tool("shell"))
        .step()
        .succeeds();
      return { roots: [S.id], asks: [C.ask("p")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "a grandchild's question calls as well",
    section: "4.6",
    async play({ session, child, until }) {
      const S = session("grandchild").typed().step(tool("shell")).opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").opensStep().begins("subagent");
      const G = child(C, "G", { linkedBy: "subagent" }).typed("You are a subagent").opensStep().begins("question");
      G.shows("f", { forTool: "question" });
      await until(G.ask("f"), announced);
      G.answered("f").finishes("question").closesStep().succeeds();
      C.finishes("subagent", { ...done, sessionID: G.id })
        .closesStep()
        .succeeds();
      S.finishes("subagent", { ...done, sessionID: C.id })
        .closesStep()
        .step()
        .succeeds();
      return { roots: [S.id], asks: [G.ask("f")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "work is done when the background subagent has reported back and the parent has read it",
    section: "4.6",
    async play({ session, child, until }) {
      const S = session("background").typed().step(tool("shell")).opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").opensStep();
      S.finishes("subagent", background(C.id)).closesStep().step().succeeds();
      await until(S.id, waits);
      C.closesStep().succeeds();
      S.woken(result(C.id)).step().succeeds();
      return { roots: [S.id] };
    },
    decisions: [waits, finished],
  },
  {
    title: "the result of a subagent read while the parent still works is no second end",
    section: "4.6",
    play({ session, child }) {
      const S = session("joins").typed().step(tool("shell")).opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").opensStep();
      S.finishes("subagent", background(C.id)).closesStep();
      C.closesStep().succeeds();
      return { roots: [S.woken(result(C.id)).delivers("synthetic").step().succeeds().id] };
    },
    decisions: [finished],
  },
  {
    title: "a stopped background subagent wakes nobody, and the end is told",
    section: "4.6",
    async play({ session, child, until }) {
      const S = session("child-stops").typed().step(tool("shell")).opensStep().begins("subagent");
      const C = child(S, "C", { linkedBy: "subagent" }).typed("You are a subagent").opensStep();
      S.finishes("subagent", background(C.id)).closesStep().step().succeeds();
      await until(S.id, waits);
      C.interrupted("user");
      return { roots: [S.id] };
    },
    decisions: [waits, finished],
  },
  {
    title: "of two background subagents the last one counts",
    section: "4.6",
    async play({ session, child, until }) {
      const S = session("two").typed().step(tool("shell")).opensStep().begins("1", "subagent").begins("2", "subagent");
      const [A, B] = ["1", "2"].map((key) => child(S, `C${key}`, { linkedBy: key }).typed("You are a subagent"));
      if (A === undefined || B === undefined) throw new Error("no children");
      S.finishes("1", background(A.id)).finishes("2", background(B.id)).closesStep().step().succeeds();
      await until(S.id, waits);
      A.step(tool("shell")).succeeds();
      S.woken(result(A.id)).step().succeeds();
      B.step(tool("shell")).succeeds();
      S.woken(result(B.id), { as: "second" }).step().succeeds();
      return { roots: [S.id] };
    },
    decisions: [waits, "done deferred more-queued", finished],
  },
  {
    title: "a background shell is not waited for; its report is a round nobody typed",
    section: "4.6",
    async play({ session, until }) {
      const S = session("background-shell").typed().step(tool("shell")).step().succeeds();
      await until(S.id, finished);
      S.woken({ source: "shell", state: "exited" }).step(tool("read")).succeeds();
      return { roots: [S.id] };
    },
    decisions: [finished, "done withdrawn resumed", "done silent synthetic"],
  },
];
