import { copyFileSync, mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { createOut } from "../../../src/server/cli/out.ts";
import { createPaint } from "../../../src/server/cli/paint.ts";
import { journalPath } from "../../../src/server/journal/journal-path.ts";
import { hostVersion } from "../host/find-host.ts";
import { packageRoot } from "../host/package-root.ts";
import { type RealHost, startRealHost } from "../host/real-host.ts";
import { findDesktop } from "./desktop.ts";
import { createStage, isTold } from "./stage.ts";
import { stories } from "./stories.ts";
import { createTable } from "./table.ts";

/**
 * Plays the demo on this process's stdout. Resolves to its exit code: 0 when every decision was the expected one.
 * `--state FOLDER` leaves the journal there: `BECKON_STATE_DIR=FOLDER npx beckon why` reads it.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { state } = parseArgs({ args: [...args], options: { state: { type: "string" } } }).values;
  const { stdout, env } = process;
  const colour = (stdout.isTTY || env.FORCE_COLOR === "1") && !env.NO_COLOR;
  const paint = createPaint(colour);
  const print = (text: string) => void stdout.write(text);
  const { write } = createOut({ write: print, complain: print, colour });
  const desktop = await findDesktop(env, process.platform);
  const table = createTable({ write, paint, columns: stdout.columns ?? 110, screen: desktop.shows });
  const score = { right: 0, wrong: 0 };

  write(`${paint.bold("opencode-beckon")}: the real opencode ${hostVersion}, a scripted model, a home of its own\n`);
  write(`banners: ${desktop.words}\n\n`);
  const starting = startRealHost({ plugins: [packageRoot()], env: desktop.env });
  const interrupted = closeOnInterrupt(starting);
  const host = await starting;
  try {
    table.head();
    const stage = createStage({ host, table, desktop, score });
    for (const [index, { title, play }] of stories.entries()) {
      table.story(index + 1, title);
      await play(stage);
      stage.ends();
    }
    if (state !== undefined) keepJournal(host, state);
    const extra = (await host.decisions()).filter((line) => isTold(line, desktop)).length - score.right - score.wrong;
    if (extra > 0) write(paint.red(`${extra} more decisions than there should be\n`));
    const good = score.wrong === 0 && extra <= 0;
    write(
      good
        ? paint.green(`All ${score.right} decisions as expected.\n`)
        : paint.red(`${score.wrong} decisions not as expected.\n`),
    );
    return good ? 0 : 1;
  } catch (error) {
    if (interrupted()) return 130;
    throw error;
  } finally {
    await host.close();
  }
}

function keepJournal({ home }: RealHost, folder: string): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(journalPath(home.beckonState), journalPath(folder));
}

/** Ctrl-C, even while the host still starts, ends the host and the model, and with them whatever the demo waits for. */
function closeOnInterrupt(starting: Promise<RealHost>): () => boolean {
  let stopped = false;
  const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
  const stop = async (signal: keyof typeof exitCodes) => {
    stopped = true;
    process.stdout.write("\nstopping\n");
    const host = await starting.catch(() => undefined);
    await host?.close();
    process.exit(exitCodes[signal]);
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return () => stopped;
}
