import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { announce } from "../../src/server/focus/announce.ts";
import { createPresenceStore, type PresenceStore } from "../../src/server/focus/presence-store.ts";
import { type Relay, startRelay } from "../../src/server/focus/relay.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import { bundle } from "../rig/bundle.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { type Runtime, runtimes } from "./relay/runtimes.ts";
import { type RelayProcess, startRelayProcess } from "./relay/start-relay-process.ts";

let relayScript: string;
let companionScript: string;
beforeAll(async () => {
  relayScript = await bundle(new URL("./relay/relay-main.ts", import.meta.url));
  companionScript = await bundle(new URL("./relay/companion-main.ts", import.meta.url));
});

/** A relay in this very process. */
async function openRelay(folder: string): Promise<{ relay: Relay; store: PresenceStore }> {
  const store = createPresenceStore({ clock: systemClock, maxTerminals: () => 8, onPresence: () => {} });
  const started = await startRelay({
    clock: systemClock,
    log: silentLog,
    folders: [folder],
    line: "v1",
    directories: () => [],
    maxTerminals: () => 8,
    store,
    observer: () => undefined,
  });
  if (!started.ok) throw new Error(started.error.detail);
  return { relay: started.value, store };
}

function startCompanionProcess(runtime: Runtime, folders: string[]) {
  const child: ChildProcess = spawn(runtime.command, [...runtime.args, companionScript, JSON.stringify(folders)], {
    env: { ...process.env, ...runtime.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said: Record<string, unknown>[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line)));
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  const order = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
  return {
    said,
    order,
    exited,
    closeInput: () => child.stdin?.end(),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** What it was made to do by its relays. */
    async did(): Promise<unknown> {
      const text = `mark ${said.length}`;
      order({ do: "mark", text });
      await waitUntil("the marker", () => said.some(({ mark }) => mark === text));
      return said.find(({ mark }) => mark === text)?.did;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

describe.each(runtimes)("a terminal part under $name", (runtime) => {
  let base: string;
  let companion: ReturnType<typeof startCompanionProcess>;
  const relays: Relay[] = [];
  const processes: RelayProcess[] = [];
  const folder = () => join(base, "relays");
  const open = async (where = folder()) => {
    const opened = await openRelay(where);
    relays.push(opened.relay);
    return opened;
  };
  const focusAt = (store: PresenceStore) => store.presence().get("companion")?.report.focus;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "beckon-companion-"));
    companion = startCompanionProcess(runtime, [folder(), join(base, "other")]);
  });
  afterEach(async () => {
    expect(companion.said.filter((line) => "crashed" in line)).toEqual([]);
    await companion.kill();
    for (const relay of relays.splice(0)) await relay.close();
    for (const one of processes.splice(0)) await one.end();
    rmSync(base, { recursive: true, force: true });
  });

  test("finds a relay that comes later, tells everything, and obeys", async () => {
    companion.order({ do: "view", view: { type: "session", sessionID: "ses_a" } });
    companion.order({ do: "focus" });
    const { relay, store } = await open();
    await waitUntil("focus", () => focusAt(store) === "focused");
    expect(store.presence().get("companion")).toMatchObject({
      name: "the companion",
      abilities: { notify: ["osc777"] },
      report: { view: { type: "session", sessionID: "ses_a" } },
    });
    companion.order({ do: "blur" });
    await waitUntil("blur", () => focusAt(store) === "blurred");
    expect(await relay.raise("companion", { key: "k", title: "Title", body: "b", urgency: "low" })).toBe(true);
    relay.send("companion", { type: "navigate", sessionID: "ses_b" });
    relay.send("companion", { type: "toast", message: "\u001b]0;evil\u0007hello\u009c" });
    await waitUntil("the toast", async () => JSON.stringify(await companion.did()).includes("toast"));
    expect(await companion.did()).toEqual([
      ["raise", "Title"],
      ["navigate", "ses_b"],
      ["toast", null, "hello"],
    ]);
  });

  test("that was stopped when an alert came writes nothing once it was called off", async () => {
    const { relay, store } = await open();
    await waitUntil("hello", () => focusAt(store) === "unknown");
    companion.signal("SIGSTOP");
    const alert = { title: "Title", body: "b", urgency: "low" } as const;
    expect(await relay.raise("companion", { key: "k", ...alert })).toBe(false);
    relay.send("companion", { type: "takeBack", key: "k" });
    companion.signal("SIGCONT");
    expect(await relay.raise("companion", { key: "other", ...alert, title: "Another" })).toBe(true);
    const did = await companion.did();
    expect(did).toContainEqual(["takeBack", "k"]);
    expect(did).toContainEqual(["raise", "Another"]);
    expect(did).not.toContainEqual(["raise", "Title"]);
  });

  test("tells every relay of its user, and goes on telling one when another ends", async () => {
    const [one, two] = [await open(), await open(join(base, "other"))];
    companion.order({ do: "focus" });
    await waitUntil("both know", () => [one, two].every(({ store }) => focusAt(store) === "focused"));
    await one.relay.close();
    companion.order({ do: "blur" });
    await waitUntil("the other knows", () => focusAt(two.store) === "blurred");
    expect(focusAt(one.store)).toBeUndefined();
  });

  test("comes back with its whole state when the server is restarted on another port with another token", async () => {
    const first = await open();
    companion.order({ do: "view", view: { type: "session", sessionID: "ses_a" } });
    companion.order({ do: "focus" });
    await waitUntil("focus", () => focusAt(first.store) === "focused");
    await first.relay.close();
    const second = await open();
    await waitUntil("focus again", () => focusAt(second.store) === "focused");
    expect(second.store.presence().get("companion")?.report.view).toEqual({ type: "session", sessionID: "ses_a" });
  });

  test("survives relays that are killed while it says hello, and is heard by the one that lives", async () => {
    const hellos: Socket[] = [];
    const trap = createServer((socket) => {
      hellos.push(socket);
      socket.on("error", () => {});
      socket.once("data", () => socket.resetAndDestroy()); // killed: the kernel says no more than this
    });
    await new Promise<void>((up) => trap.listen(0, "127.0.0.1", up));
    const address = trap.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const trapAnnouncement = await announce({
      clock: systemClock,
      log: silentLog,
      folders: [folder()],
      relayID: "0".repeat(16),
      describe: () => ({
        url: `ws://127.0.0.1:${port}/focus`,
        token: "x",
        pid: process.pid,
        startedAt: Date.now(),
        line: "v1",
        directories: [],
        protocol: 1,
      }),
    });
    const { store } = await open();
    companion.order({ do: "focus" });
    await waitUntil("three cut hellos", () => hellos.length >= 3);
    await waitUntil("focus", () => focusAt(store) === "focused");
    await trapAnnouncement.withdraw();
    trap.close();
  });

  test("is forgotten when it ends, and lets its process end", async () => {
    const { store } = await open();
    await waitUntil("hello", () => focusAt(store) === "unknown");
    companion.order({ do: "end" });
    await waitUntil("goodbye", () => store.presence().size === 0);
    companion.closeInput();
    expect(await companion.exited).toBe(0);
  });

  test("takes no harm from a relay process that is killed, and comes to the next one", async () => {
    const killed = await startRelayProcess(runtime, relayScript, { maxTerminals: 8, where: folder() });
    processes.push(killed);
    companion.order({ do: "focus" });
    await killed.until((line) => JSON.stringify(line).includes('"focused"'));
    killed.child.kill("SIGKILL");
    const { store } = await open();
    await waitUntil("focus", () => focusAt(store) === "focused");
    companion.order({ do: "blur" });
    await waitUntil("blur", () => focusAt(store) === "blurred");
  });
});
