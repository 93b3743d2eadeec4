import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { startRelay } from "../../../src/server/focus/relay.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();

const start = (folders: readonly string[], lines: string[]) =>
  startRelay({
    clock: systemClock,
    log: (line) => lines.push(line),
    folders,
    line: "v1",
    directories: () => [],
    maxTerminals: () => 8,
    store: createPresenceStore({ clock: systemClock, maxTerminals: () => 8, onPresence: () => {} }),
    observer: () => undefined,
  });

test("a reason to refuse is told once, however often it comes", async () => {
  const lines: string[] = [];
  const relay = await start([join(folder(), "relays")], lines);
  if (!relay.ok) throw new Error(relay.error.detail);
  for (let time = 0; time < 3; time += 1)
    await new Promise((ended) => {
      new WebSocket(relay.value.url, { origin: "https://example.org" }).on("error", () => {}).on("close", ended);
    });
  await relay.value.close();
  expect(lines.filter((line) => line.startsWith("relay: refused"))).toHaveLength(1);
});

test("a relay nobody could find is none", async () => {
  expect(await start([], [])).toMatchObject({ ok: false, error: { kind: "not-announced" } });
});
