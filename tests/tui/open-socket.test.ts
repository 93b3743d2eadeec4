import { chownSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { observeRelay } from "../../src/server/cli/relays/observe-relay.ts";
import { unixURL } from "../../src/shared/rendezvous.ts";
import { openSocket } from "../../src/tui/open-socket.ts";
import { tempFolders } from "../server/files/programs/temp-folder.ts";

const folder = tempFolders();
const events = { onOpen() {}, onText() {}, onClose() {} };

/** Neither the terminal part nor the command line says a word there; each says why. */
async function refusals(path: string): Promise<string[]> {
  const terminal = await openSocket(unixURL(path), events).then(
    () => "opened",
    (error: unknown) => String(error),
  );
  const command = await observeRelay({ url: unixURL(path), token: "t" });
  return [terminal, command.ok ? "opened" : command.error.detail];
}

describe.runIf(process.getuid !== undefined)("a token goes to no", () => {
  test.runIf(process.getuid?.() === 0)("socket of another user", async () => {
    const path = join(folder(), "a.sock");
    const knocks: unknown[] = [];
    const server = createServer((socket) => knocks.push(socket.destroy())).listen(path);
    onTestFinished(() => void server.close());
    await new Promise((up) => server.once("listening", up));
    chownSync(path, 12_345, 12_345);
    for (const why of await refusals(path)) expect(why).toContain("another user");
    expect(knocks).toEqual([]);
  });

  test("file that is no socket", async () => {
    const path = join(folder(), "a.sock");
    writeFileSync(path, "");
    for (const why of await refusals(path)) expect(why).toContain("no socket");
  });

  test("socket that is gone", async () => {
    for (const why of await refusals(join(folder(), "a.sock"))) expect(why).toContain("gone");
  });
});
