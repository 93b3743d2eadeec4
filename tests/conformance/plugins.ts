import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A throw-away folder with these files in it. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** What plugins of a test tell it: they are modules of their own and reach it through this global list. */
export function toldLines(): string[] {
  const lines: string[] = [];
  Object.assign(globalThis, { conformanceTold: lines });
  return lines;
}

/** Source of a plugin that tells its setup, every event it hears and its cleanup. `count` lives in its module. */
export const tellingPlugin = (id: string, extra = ""): string => `
let count = 0;
const tell = (line) => globalThis.conformanceTold.push(line);
export default {
  id: ${JSON.stringify(id)},
  async setup(context) {
    count += 1;
    const where = context.location.directory.split("/").at(-1);
    tell("setup ${id} " + where + " " + count + " " + JSON.stringify(context.options));
    ${extra}
    const stop = new AbortController();
    const pump = (async () => {
      for await (const event of context.event.subscribe({ signal: stop.signal }))
        if (event.type.startsWith("session.")) tell(where + " heard " + event.type);
    })();
    return async () => {
      stop.abort();
      await pump;
      tell("cleanup ${id} " + where);
    };
  },
};
`;
