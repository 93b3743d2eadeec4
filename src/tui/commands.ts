import * as z from "zod/mini";
import type { FocusReport } from "../shared/focus.ts";
import type { Question } from "./ask-relay.ts";
import type { Answer } from "./plugin-calls.ts";
import type { Command, TerminalHost } from "./terminal-host.ts";

const minute = 60_000;
const muteTimes = [
  { title: "For 1 hour", value: 60 * minute },
  { title: "For 15 minutes", value: 15 * minute },
  { title: "For 4 hours", value: 240 * minute },
  { title: "For 24 hours", value: 1_440 * minute },
];

export type CommandsDeps = {
  host: Pick<TerminalHost, "show" | "toast" | "choose">;
  /** Every server part this terminal can reach; no answers: there is none. */
  askAll(question: Question): Promise<Answer[]>;
  /** One of them: a test is to be heard once. */
  askOne(question: Question): Promise<Answer | undefined>;
  report(): FocusReport;
};

export function createCommands({ host, askAll, askOne, report }: CommandsDeps): Command[] {
  const nobody = "No server part of beckon answers. Is the plugin in opencode.json, and does a session run?";

  async function status(): Promise<void> {
    const answers = await askAll({ type: "status" });
    const servers = answers.length === 0 ? [nobody] : answers.flatMap(({ status: told }) => linesOf(told));
    host.show("Beckon", [...servers, "", `This terminal: ${wordsFor(report())}`]);
  }

  async function mute(ms: number): Promise<void> {
    const answers = await askAll({ type: "mute", ms });
    host.toast(answers[0]?.text ?? nobody, "Beckon");
  }

  async function test(): Promise<void> {
    const answer = await askOne({ type: "test" });
    host.toast(answer?.text ?? nobody, "Beckon");
  }

  return [
    {
      name: "beckon.status",
      slash: "beckon",
      title: "Beckon: status",
      description: "Who is attached, what you are taken to look at, the last decisions and why",
      run: status,
    },
    {
      name: "beckon.mute",
      slash: "beckon-mute",
      title: "Beckon: mute for a while",
      description: "No alerts for a time of your choice",
      run: () => host.choose("Mute alerts", muteTimes, mute),
    },
    {
      name: "beckon.unmute",
      slash: "beckon-unmute",
      title: "Beckon: end the mute",
      description: "Alerts again from now on",
      run: () => mute(0),
    },
    {
      name: "beckon.test",
      slash: "beckon-test",
      title: "Beckon: test alert",
      description: "Sends one alert by the ways notifications.mode names",
      run: test,
    },
  ];
}

const withLines = z.object({ lines: z.array(z.string()) });

function linesOf(status: unknown): string[] {
  const read = withLines.safeParse(status);
  return read.success ? read.data.lines : ["A server part answers, without words."];
}

function wordsFor({ focus, view, idleMs }: FocusReport): string {
  const where = view.type === "session" ? view.sessionID : view.type === "home" ? "the start screen" : "another screen";
  const seconds = Math.round(idleMs / 1_000);
  const known = focus === "unknown" ? "never told its focus, so it silences nothing" : focus;
  return `${known}, shows ${where}, last sign of life ${seconds} s ago`;
}
