import type { Paint } from "../../../src/server/cli/paint.ts";
import { decisionWords } from "../../../src/server/cli/why-words.ts";
import type { JournalLine } from "../../scenarios/host-under-test.ts";

/** A table that grows while the demo runs: on the left what opencode did, on the right what beckon made of it. */
export type Table = ReturnType<typeof createTable>;

type TableDeps = { write(text: string): void; paint: Paint; columns: number; screen: boolean };

const kindWidth = 7;
const outcomeWidth = 16;
const outcomePaint = {
  delivered: "green",
  failed: "yellow",
  withdrawn: "cyan",
  silent: "dim",
  deferred: "dim",
  suppressed: "dim",
} satisfies Record<JournalLine["outcome"], keyof Paint>;

/** Breaks at blanks; a word longer than the width stays whole. */
function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function createTable({ write, paint, columns, screen }: TableDeps) {
  const width = Math.min(Math.max(columns, 80), 130);
  const left = Math.min(44, Math.floor((width - 5) * 0.42));
  const right = width - 5 - left - 2;
  const cell = (text: string, size: number) => text.padEnd(size);

  /** Where there is no screen a deserved banner is no failure of the demo. */
  function words({ outcome, reason }: JournalLine) {
    if (outcome === "failed" && !screen)
      return { outcome: "would call you", why: "but there is no screen for a banner" };
    const [short = "", why = ""] = decisionWords(outcome, reason).split(": ");
    return { outcome: short, why };
  }

  return {
    head() {
      write(`     ${paint.bold(`${cell("opencode", left)}  beckon`)}\n`);
      write(`     ${"─".repeat(left)}  ${"─".repeat(right)}\n`);
    },
    story(number: number, title: string) {
      write(`${paint.bold(`${String(number).padStart(2)}   ${title}`)}\n`);
    },
    /** Something opencode did. What it leads to may take a while: the line is left open. */
    happened(text: string) {
      const lines = wrap(text, left);
      const last = lines.pop() ?? "";
      for (const line of lines) write(`     ${line}\n`);
      write(`     ${cell(last, left)}  `);
    },
    /** Ends the open line when nothing is to be decided about it. */
    nothing: () => write("\n"),
    gap: () => write("\n"),
    decided(line: JournalLine, expected: boolean) {
      const { outcome, why } = words(line);
      const [first = "", ...rest] = wrap(why, right - kindWidth - outcomeWidth);
      const brush = paint[outcomePaint[line.outcome]];
      const mark = expected ? "" : paint.red(" ← not expected");
      write(`${paint.bold(cell(line.alert, kindWidth))}${brush(cell(outcome, outcomeWidth))}${first}${mark}\n`);
      for (const more of rest) write(`${" ".repeat(5 + left + 2 + kindWidth + outcomeWidth)}${more}\n`);
    },
    missing(words: string) {
      write(`${paint.red(`expected "${words}", and nothing came`)}\n`);
    },
  };
}
