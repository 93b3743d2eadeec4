import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { V2Context } from "../../src/tui/hosts/v2-context.ts";
import door from "../../src/tui/index.ts";
import { borrowEnvironment } from "../conformance/borrowed-environment.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { attachTui, type TuiProcess } from "../conformance/tui-process.ts";
import { createFakeRenderer } from "../tui/hosts/fake-renderer.ts";

/** Long settle windows: a terminal may need a moment to be known. */
const beckon = { alerts: { pause: { settleMs: 3_000 }, done: { settleMs: 3_000 }, focus: { leaveSeconds: 1 } } };

let host: ConformanceHost;
const terminals: TuiProcess[] = [];
beforeEach(async () => {
  host = await startConformanceHost({ beckon });
});
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.exit();
  await host.close();
});

async function attach(): Promise<TuiProcess> {
  const terminal = await attachTui({ server: host.server, location: { directory: host.home.project } });
  expect(terminal.failures).toEqual([]);
  expect(terminal.running).toEqual(["beckon.tui"]);
  terminals.push(terminal);
  return terminal;
}

/** As from another machine: no folder with relays is the same. */
async function attachFromAfar(): Promise<TuiProcess> {
  const nowhere = join(host.home.root, "nowhere");
  const restore = borrowEnvironment({ BECKON_RUNTIME_DIR: nowhere, BECKON_STATE_DIR: nowhere });
  try {
    return await attach();
  } finally {
    restore();
  }
}

/** A session on which something waits for the person. Ends of work are no proof here: the host itself tells who viewed them. */
async function waiting(before: (sessionID: string) => void): Promise<{ sessionID: string; requestID: string }> {
  const sessionID = await host.newSession({ ask: ["bash"] });
  before(sessionID);
  await host.prompt(sessionID, "[bash echo hi]");
  return host.nextAsk(sessionID);
}
const firstLineOf = ({ requestID }: { requestID: string }) => host.decided((line) => line.requestID === requestID);
const attended = { outcome: "deferred", reason: "attended", by: expect.stringMatching(/^pid \d/) };

describe.each([
  ["on the same machine, by socket", attach],
  ["from another machine, by calls through opencode", attachFromAfar],
])("a terminal %s", (_where, attachSomewhere) => {
  test("that is focused on the session holds its alert back, and is named in the journal", async () => {
    const terminal = await attachSomewhere();
    const ask = await waiting((session) => {
      terminal.show(session);
      terminal.focus();
    });
    expect(await firstLineOf(ask)).toMatchObject(attended);
  });

  test("that is blurred, shows another session or is gone holds nothing back", async () => {
    const terminal = await attachSomewhere();
    const blurred = await waiting((session) => {
      terminal.show(session);
      terminal.focus();
      terminal.blur();
    });
    expect((await firstLineOf(blurred)).reason).not.toBe("attended");
    const elsewhere = await waiting(() => terminal.focus());
    expect((await firstLineOf(elsewhere)).reason).not.toBe("attended");
    const session = await host.newSession({ ask: ["bash"] });
    terminal.show(session);
    await terminal.exit();
    terminals.splice(0);
    await host.prompt(session, "[bash echo hi]");
    expect((await firstLineOf(await host.nextAsk(session))).reason).not.toBe("attended");
  });

  test("has the alert told once when it is left unanswered", async () => {
    const terminal = await attachSomewhere();
    const ask = await waiting((session) => {
      terminal.show(session);
      terminal.focus();
    });
    expect(await firstLineOf(ask)).toMatchObject(attended);
    terminal.blur();
    await host.decided((line) => line.requestID === ask.requestID && line.outcome !== "deferred");
  });

  test("is known again after the server part was loaded anew in the middle", async () => {
    const terminal = await attachSomewhere();
    const before = await waiting((session) => {
      terminal.show(session);
      terminal.focus();
    });
    expect(await firstLineOf(before)).toMatchObject(attended);
    await host.server.reload();
    const after = await waiting((session) => terminal.show(session));
    expect(await firstLineOf(after)).toMatchObject(attended);
  });
});

test("two terminals of one machine are two, one that is focused is enough, and neither leaves a listener behind", async () => {
  const [looking, idle] = [await attach(), await attach()];
  const ask = await waiting((session) => {
    idle.show(session);
    idle.blur();
    looking.show(session);
    looking.focus();
  });
  expect(await firstLineOf(ask)).toMatchObject(attended);
  for (const terminal of terminals.splice(0)) {
    await terminal.exit();
    expect(terminal.leftListeners()).toBe(0);
  }
});

test("a terminal part that is loaded anew still knows the focus: terminals tell changes only", async () => {
  const { renderer, events } = createFakeRenderer();
  renderer.capabilities.focus_tracking = true;
  const shown = { type: "session", sessionID: "" };
  const context: V2Context = { renderer, client: {}, ui: { router: { current: () => shown } } };
  const endFirst = await door.setup(context);
  events.emit("focus");
  endFirst?.();
  const endSecond = await door.setup(context);
  const ask = await waiting((session) => {
    shown.sessionID = session;
  });
  expect(await firstLineOf(ask)).toMatchObject(attended);
  endSecond?.();
});
