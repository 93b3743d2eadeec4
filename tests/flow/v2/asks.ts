import { text, tool } from "../../conformance/deeds.ts";
import { announced, finished, gone, noWork, type Sequence, takenBack } from "./sequence.ts";

const batched = "pause silent batched";
const atOnce = "pause silent auto-answered";
const dismissed = "done silent dismissed";

/** §4.4 and §8: permissions and forms, and what the built-in notifier counts once. */
export const asks: Sequence[] = [
  {
    title: "a permission calls; the reply takes the banner back",
    section: "4.4",
    async play({ session, until }) {
      const S = session("permission").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.replied("p").finishes("shell").closesStep().step().succeeds();
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "an ask that another client answers at once calls nobody",
    section: "4.4",
    play({ session }) {
      const S = session("at-once").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      S.replied("p").finishes("shell").closesStep().step().succeeds();
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [atOnce, finished],
  },
  {
    title: "a question is a form; answering it is not work",
    section: "4.4",
    async play({ session, until }) {
      const S = session("question").typed().opensStep().begins("question").shows("f", { forTool: "question" });
      await until(S.ask("f"), announced);
      S.answered("f").finishes("question").closesStep().step().succeeds();
      return { roots: [S.id], asks: [S.ask("f")] };
    },
    decisions: [announced, takenBack, noWork],
  },
  {
    title: "a dismissed question ends the run in silence",
    section: "4.4",
    async play({ session, until }) {
      const S = session("dismissed").typed().opensStep().begins("question").shows("f", { forTool: "question" });
      await until(S.ask("f"), announced);
      S.dismissed("f").interrupted("user");
      return { roots: [S.id], asks: [S.ask("f")] };
    },
    decisions: [announced, takenBack, dismissed],
  },
  {
    title: "a permission refused without a message ends the run in silence",
    section: "4.3",
    async play({ session, until }) {
      const S = session("refused").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.replied("p", "reject").interrupted("user");
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, takenBack, dismissed],
  },
  {
    title: "refused with a message only that call fails, and later work counts",
    section: "4.3",
    async play({ session, until }) {
      const S = session("advised").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.replied("p", "reject", "not like this").breaks("shell").closesStep().step(tool("edit")).step().succeeds();
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "a form of an MCP server blocks the turn as well",
    section: "4.4",
    async play({ session, until }) {
      const S = session("mcp").typed().step(tool("shell")).opensStep().shows("f", { title: "Sign in" });
      await until(S.ask("f"), announced);
      S.answered("f").closesStep().step().succeeds();
      return { roots: [S.id], asks: [S.ask("f")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "the permission and the form of one question call are one call of the person",
    section: "4.4",
    async play({ session, until }) {
      const S = session("collapsed").typed().opensStep().begins("question");
      S.asks("p", { action: "question", forTool: "question" });
      await until(S.ask("p"), announced);
      S.replied("p").shows("f", { forTool: "question" });
      await until(S.ask("f"), "pause silent duplicate");
      S.answered("f").finishes("question").closesStep().step().succeeds();
      return { roots: [S.id], asks: [S.ask("p"), S.ask("f")] };
    },
    decisions: [announced, takenBack, "pause silent duplicate", noWork],
    anyOrder: true, // what was taken back is said once the desktop has said so
  },
  {
    title: "three asks of one step are one call; a reject answers them all",
    section: "4.4",
    async play({ session, until }) {
      const S = session("three").typed().opensStep().begins("a", "shell").begins("b", "shell").begins("c", "edit");
      S.asks("1", { forTool: "a" })
        .asks("2", { forTool: "b", resource: "ls" })
        .asks("3", { action: "edit", forTool: "c" });
      await until(S.ask("1"), announced);
      S.replied("1", "reject").interrupted("user");
      return { roots: [S.id], asks: ["1", "2", "3"].map(S.ask) };
    },
    decisions: [announced, batched, batched, takenBack, dismissed],
    anyOrder: true,
  },
  {
    title: "an always answers what it covers; what it does not cover still waits",
    section: "4.4",
    async play({ session, until }) {
      const S = session("always").typed().opensStep().begins("a", "shell").begins("b", "shell").begins("c", "edit");
      const resource = "npm test of always";
      S.asks("1", { forTool: "a", resource }).asks("2", { forTool: "b", resource });
      S.asks("3", { action: "edit", forTool: "c", resource: "file" });
      await until(S.ask("1"), announced);
      S.replied("1", "always").finishes("a").finishes("b").replied("3").finishes("c").closesStep().step().succeeds();
      return { roots: [S.id], asks: ["1", "2", "3"].map(S.ask) };
    },
    decisions: [announced, batched, batched, takenBack, finished],
    anyOrder: true,
  },
  {
    title: "an ask dropped without a reply goes with the end of the run",
    section: "4.4",
    async play({ session, until }) {
      const S = session("dropped").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      await until(S.ask("p"), announced);
      S.interrupted("user");
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, gone, "error silent aborted"],
  },
  {
    title: "an ask whose run ends within its window needed nobody",
    section: "4.4",
    play({ session }) {
      const S = session("short")
        .typed()
        .opensStep()
        .begins("shell")
        .asks("p", { forTool: "shell" })
        .interrupted("user");
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [atOnce, "error silent aborted"],
  },
  {
    title: "an agent selected by hand is no plan that waits",
    section: "4.4",
    play: ({ session }) => {
      const S = session("plan").typed().step(tool("shell")).tells("session.agent.selected", { agent: "plan" });
      return { roots: [S.step(text()).succeeds().id] };
    },
    decisions: [finished],
  },
  {
    title: "one form heard twice is one call",
    section: "8",
    async play({ session, until, raw }) {
      const S = session("twice").typed().opensStep().begins("question").shows("f", { forTool: "question" });
      const form = { id: S.ask("f"), sessionID: S.id, title: "Questions", fields: [] };
      raw({ id: `evt_again_${S.id}`, created: Date.now(), type: "form.created", data: { form } });
      await until(S.ask("f"), announced);
      S.answered("f").finishes("question").closesStep().step(tool("shell")).succeeds();
      return { roots: [S.id], asks: [S.ask("f")] };
    },
    decisions: [announced, takenBack, finished],
  },
  {
    title: "a permission under the old and the new name is one call",
    section: "10",
    async play({ session, until, raw }) {
      const S = session("both-names").typed().opensStep().begins("shell").asks("p", { forTool: "shell" });
      const data = { id: S.ask("p"), sessionID: S.id, action: "shell", resources: ["make test"] };
      raw({ id: `evt_v2_${S.id}`, created: Date.now(), type: "permission.v2.asked", data });
      await until(S.ask("p"), announced);
      S.replied("p").finishes("shell").closesStep().succeeds();
      return { roots: [S.id], asks: [S.ask("p")] };
    },
    decisions: [announced, takenBack, finished],
  },
];
