import { describe, expect, test } from "vitest";
import type { Note } from "../../../src/server/delivery/channel.ts";
import { createDeciderStage, type DeciderStageOptions } from "../../fakes/decider-stage.ts";
import { permission, working } from "../../fakes/session-stage.ts";

const ended = { kind: "ended" } as const;
const all = () => true;

function stage(options: DeciderStageOptions = {}) {
  const made = createDeciderStage(options);
  made.root("S");
  return made;
}

describe("a finished round", () => {
  test("is told under its session's title, with what it took", async () => {
    const { tell, wait, sent, news } = stage();
    tell("S", ...working);
    await wait(12_000);
    tell("S", ended);
    await wait(400);
    expect(news()).toEqual(["S done delivered unattended"]);
    expect(sent).toMatchObject([
      { channel: "banner", note: { title: "S", body: "Work finished · 12 s", urgency: "normal" } },
    ]);
  });

  test("is told within a second of its window by a host that answers nothing", async () => {
    const { host, tell, wait, sent, news } = createDeciderStage();
    host.sessions.set("S", "hangs");
    host.messages.set("S", "hangs");
    tell("S", { kind: "described", parentID: null }, ...working, ended);
    await wait(400);
    expect(news()).toEqual([]);
    await wait(1_000);
    expect(news()).toEqual(["S done delivered unattended"]);
    expect(sent).toMatchObject([{ note: { title: "project" } }]);
  });

  test.each([
    ["ConnectionAbortedError", "S error delivered unattended"],
    ["StreamInterruptedError", "S error delivered unattended"],
    ["MessageAbortedError", "S error silent aborted"],
  ])("that failed with %s is told unless the person stopped it", async (name, line) => {
    const { tell, wait, news } = stage();
    tell("S", ...working, { kind: "failed", name }, ended);
    await wait(400);
    expect(news()).toEqual([line]);
  });

  test("of a subagent's ask bears the root's title", async () => {
    const { child, tell, wait, sent } = stage();
    child("C", "S");
    tell("C", ...working, permission("p1", { label: "bash" }));
    await wait(350);
    expect(sent).toMatchObject([{ note: { title: "S", body: "A permission waits for you · bash", sessionID: "C" } }]);
  });

  test("gives its banner up when the session works again", async () => {
    const { tell, wait, news, withdrawn } = stage();
    tell("S", ...working, ended);
    await wait(400);
    tell("S", ...working);
    await wait();
    expect(news()).toEqual(["S done delivered unattended", "S done withdrawn resumed"]);
    expect(withdrawn).toContainEqual({ channel: "banner", key: "session.S" });
  });

  test("is told when looks are over, whatever the focus was at its end", async () => {
    const { tell, terminals, wait, news } = stage();
    terminals.shows("T1", "S");
    tell("S", ...working, ended);
    await wait(100);
    terminals.leaves("T1");
    await wait(300);
    expect(news()).toEqual(["S done delivered unattended"]);
  });

  test("is suppressed when somebody comes within its window", async () => {
    const { tell, terminals, wait, news } = stage();
    tell("S", ...working, ended);
    await wait(100);
    terminals.shows("T1", "S");
    await wait(300);
    expect(news()).toEqual(["S done suppressed attended"]);
  });

  test("reads the settings at its end", async () => {
    const { tell, wait, news } = stage({ file: { alerts: { done: { mode: "none" }, exclude: [] } } });
    tell("S", ...working, ended);
    await wait(400);
    expect(news()).toEqual(["S done silent mode-none"]);
  });
});

describe("asks", () => {
  test("told together name their number; the banner follows the answers", async () => {
    const { tell, wait, sent, updated, withdrawn, news } = stage();
    tell("S", ...working, permission("p1"), permission("p2"), permission("p3"));
    await wait(350);
    expect(sent.map(({ note }) => note.body)).toEqual(["3 requests wait for you"]);
    tell("S", { kind: "answered", requestID: "p1", how: "replied" });
    await wait();
    tell("S", { kind: "answered", requestID: "p2", how: "replied" });
    await wait();
    expect(updated.map(({ note }) => note.body)).toEqual(["2 requests wait for you", "A permission waits for you"]);
    expect(sent).toHaveLength(1);
    expect(withdrawn).toEqual([]);
    tell("S", { kind: "answered", requestID: "p3", how: "replied" });
    await wait();
    expect(withdrawn).toContainEqual({ channel: "banner", key: "session.S" });
    expect(news().at(-1)).toBe("S pause withdrawn answered p1");
  });

  test("of a second window count what is still open of the first", async () => {
    const { tell, wait, sent } = stage();
    tell("S", ...working, permission("p1"));
    await wait(350);
    tell("S", permission("p2"));
    await wait(350);
    expect(sent.map(({ note }) => note.body)).toEqual(["A permission waits for you", "2 requests wait for you"]);
  });
});

/** Two subagents deep; only the lowest was heard of since the plugin started. */
function deepFamily() {
  const made = createDeciderStage();
  made.host.sessions.set("C", { parentID: "R", title: "Search" });
  made.host.sessions.set("R", { parentID: null, title: "Fix login" });
  made.child("G", "C");
  return made;
}

describe("an ask two subagents deep, all above it unheard of", () => {
  test("bears the root's title", async () => {
    const { tell, wait, sent } = deepFamily();
    tell("G", ...working, permission("p1"));
    await wait(350);
    expect(sent.map(({ note }) => note.title)).toEqual(["Fix login"]);
  });

  test("waits while somebody looks at the root", async () => {
    const { tell, terminals, wait, news } = deepFamily();
    terminals.shows("T1", "R");
    tell("G", ...working, permission("p1"));
    await wait(350);
    expect(news()).toEqual(["G pause deferred attended p1"]);
  });
});

describe("a banner's buttons", () => {
  const answered: unknown[][] = [];
  const options: DeciderStageOptions = {
    file: { alerts: { pause: { actions: true } } },
    more: {
      goTo: (sessionID, token) => void answered.push(["go", sessionID, token]),
    },
    answer: async (...told) => void answered.push(told),
  };
  const buttons = (note: Note | undefined) => note?.actions?.map(({ key }) => key);

  test("go to the session, and answer a lone permission", async () => {
    const { decider, tell, wait, sent } = stage(options);
    answered.length = 0;
    tell("S", ...working, permission("p1"));
    await wait(350);
    expect(buttons(sent[0]?.note)).toEqual(["default", "once:p1", "reject:p1"]);
    const event = { type: "action", key: "session.S", sessionID: "S" } as const;
    decider.acted({ ...event, action: "default", token: "t" });
    decider.acted({ ...event, action: "reject:p1" });
    expect(answered).toEqual([
      ["go", "S", "t"],
      ["S", "p1", "reject"],
    ]);
  });

  test("offer no answer to a question, to several asks, or where it is not wanted", async () => {
    const question = stage(options);
    question.tell("S", ...working, permission("q1", { about: "question" }));
    const several = stage(options);
    several.tell("S", ...working, permission("p1"), permission("p2"));
    const unwanted = stage({ ...options, file: {} });
    unwanted.tell("S", ...working, permission("p1"));
    for (const each of [question, several, unwanted]) {
      await each.wait(350);
      expect(buttons(each.sent[0]?.note)).toEqual(["default"]);
    }
  });

  test("that answered have a line that says so, though the daemon closed that banner itself", async () => {
    const { decider, decided, up, tell, wait } = stage(options);
    tell("S", ...working, permission("p1"));
    await wait(350);
    decider.acted({ type: "action", key: "session.S", sessionID: "S", action: "once:p1" });
    up.clear();
    decider.acted({ type: "closed", key: "session.S", sessionID: "S", why: "closed" });
    tell("S", { kind: "answered", requestID: "p1", how: "replied" });
    await wait();
    expect(decided.at(-1)).toMatchObject({
      outcome: "withdrawn",
      reason: "answered",
      requestID: "p1",
      by: "banner: once",
    });
  });

  test("whose answer the host refused are not named where it was answered elsewhere", async () => {
    const answer = () => Promise.reject(new Error("503"));
    const { decider, decided, tell, wait } = stage({ ...options, answer });
    tell("S", ...working, permission("p1"));
    await wait(350);
    decider.acted({ type: "action", key: "session.S", sessionID: "S", action: "once:p1" });
    await wait();
    tell("S", { kind: "answered", requestID: "p1", how: "replied" });
    await wait();
    expect(decided.at(-1)).toMatchObject({ outcome: "withdrawn", requestID: "p1" });
    expect(decided.at(-1)).not.toHaveProperty("by");
  });

  test("pressed too late answer nothing", async () => {
    const { decider, tell, wait } = stage(options);
    answered.length = 0;
    tell("S", ...working, permission("p1"));
    await wait(350);
    tell("S", { kind: "answered", requestID: "p1", how: "replied" });
    decider.acted({ type: "action", key: "session.S", sessionID: "S", action: "once:p1" });
    expect(answered).toEqual([]);
  });
});

describe("many finished sessions", () => {
  const finish = async (made: ReturnType<typeof stage>, ...sessionIDs: string[]) => {
    for (const sessionID of sessionIDs) {
      made.root(sessionID);
      made.tell(sessionID, ...working, ended);
      await made.wait(400);
    }
  };
  const summaries = (made: ReturnType<typeof stage>) =>
    made.sent.filter(({ note }) => note.key === "summary").map(({ note }) => note.body);

  test("become one banner that names them; the newest keep their own", async () => {
    const made = stage();
    await finish(made, "A", "B", "C", "D");
    expect(summaries(made)).toHaveLength(1);
    expect(summaries(made)[0]).toContain("A, B");
    expect(made.news().filter((line) => line.includes("withdrawn"))).toEqual([
      "A done withdrawn summarised",
      "B done withdrawn summarised",
    ]);
  });

  test("leave it when they work again, and the banner goes with the last", async () => {
    const made = stage();
    await finish(made, "A", "B", "C", "D");
    made.tell("A", ...working);
    expect(made.updated.map(({ note }) => note.body)).toEqual(["1 session finished · B"]);
    made.tell("B", { kind: "deleted" });
    await made.wait();
    expect(made.withdrawn).toContainEqual({ channel: "banner", key: "summary" });
  });

  test("leave it under the next owner too", async () => {
    const before = stage();
    await finish(before, "A", "B", "C", "D");
    const after = createDeciderStage({ state: before.decider.stop(), up: before.up });
    after.tell("A", ...working);
    expect(after.updated.map(({ note }) => note.body)).toEqual(["1 session finished · B"]);
    await finish(after, "E", "F");
    expect(summaries(after).at(-1)).toBe("3 sessions finished · B, C, D");
  });

  test("are not named again once the person closed the banner that named them", async () => {
    const made = stage();
    await finish(made, "A", "B", "C", "D");
    made.decider.acted({ type: "closed", key: "summary", sessionID: "", why: "dismissed" });
    await finish(made, "E", "F");
    expect(summaries(made).at(-1)).toBe("2 sessions finished · C, D");
  });
});

describe("a message that leaves the machine", () => {
  const file = { alerts: { push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 120 }] } };
  const ask = async (answer: "ok" | "refused" | "unavailable" | "nobody") => {
    const away: unknown[] = [];
    const push: DeciderStageOptions["more"] = {
      push: {
        async send(note) {
          away.push(note.away);
          if (answer === "ok") return { ok: true, outlet: "ntfy", certainty: "accepted" };
          return { ok: false, outlet: "ntfy", reason: answer === "refused" ? "refused" : "unavailable" };
        },
        withdraw: () => Promise.resolve(true),
      },
    };
    const made = stage({ file, ...(answer === "nobody" ? {} : { more: push }) });
    made.tell("S", ...working, permission("p1"));
    await made.wait(350);
    await made.wait(120_000);
    return { away, news: made.news() };
  };

  test("says whose project waits and no more", async () => {
    const { away, news } = await ask("ok");
    expect(away).toEqual([{ title: "project", body: "Waits for you" }]);
    expect(news.at(-1)).toBe("S pause delivered overdue p1");
  });

  test.each([
    ["refused", "channel-error"],
    ["unavailable", "no-channel"],
    ["nobody", "no-channel"],
  ] as const)("that does not arrive (%s) is said to have failed", async (answer, reason) => {
    expect((await ask(answer)).news.at(-1)).toBe(`S pause failed ${reason} p1`);
  });
});

describe("a process that ends", () => {
  test("where nothing can outlive it, what was settling is silent", async () => {
    const { decider, tell, wait, news, sent } = stage();
    tell("S", ...working, ended);
    decider.settle(all);
    expect(news()).toEqual(["S done silent shutdown"]);
    await wait(10_000);
    expect(sent).toEqual([]);
  });

  test("what deserved nobody keeps its own reason", () => {
    const { decider, tell, news } = stage();
    tell("S", { kind: "prompted", trigger: "typed" }, { kind: "started" }, { kind: "stepStarted" }, ended);
    decider.settle(all);
    expect(news()).toEqual(["S done silent no-real-work"]);
  });

  test("an ask in its window cannot be answered any more", async () => {
    const { decider, tell, wait, news } = stage();
    tell("S", ...working, permission("p1"));
    decider.settle(all);
    await wait(10_000);
    expect(news()).toEqual(["S pause silent shutdown p1", "S done silent shutdown"]);
  });

  test("a banner about an ask is taken back: nobody can answer it", async () => {
    const { decider, tell, wait, withdrawn } = stage();
    tell("S", ...working, permission("p1"));
    await wait(350);
    decider.settle(all);
    await wait();
    expect(withdrawn).toContainEqual({ channel: "banner", key: "session.S" });
  });

  test("only the sessions of the instance that ends are settled", async () => {
    const { decider, root, tell, wait, news } = stage();
    root("R");
    tell("S", ...working, ended);
    tell("R", ...working, ended);
    decider.settle((sessionID) => sessionID === "S");
    expect(news()).toEqual(["S done silent shutdown"]);
    await wait(400);
    expect(news()).toEqual(["R done delivered unattended"]);
  });

  describe("after one job (opencode run)", () => {
    function oneShot(options: DeciderStageOptions = {}, works = true) {
      const handed: Note[] = [];
      const detach = (note: Note): boolean => {
        handed.push(note);
        return works;
      };
      return { handed, ...stage({ ...options, more: { ...options.more, detach } }) };
    }

    test("a deserved alert is handed to something that outlives it", async () => {
      const { decider, handed, tell, wait, news, sent } = oneShot();
      tell("S", ...working, ended);
      decider.settle(all);
      await wait();
      expect(handed).toMatchObject([{ title: "S", body: "Work finished · 1 s" }]);
      expect(sent).toEqual([]);
      expect(news()).toEqual(["S done delivered unattended"]);
    });

    test("an error is handed over too, a stop is not", async () => {
      const { decider, handed, root, tell, wait, news } = oneShot();
      root("R");
      tell("S", ...working, { kind: "failed", name: "APIError" }, ended);
      tell("R", ...working, { kind: "failed", name: "MessageAbortedError" }, ended);
      decider.settle(all);
      await wait();
      expect(handed).toMatchObject([{ kind: "error" }]);
      expect(news().toSorted()).toEqual(["R error silent aborted", "S error delivered unattended"]);
    });

    test("an ask nobody could answer is not handed over", async () => {
      const { decider, handed, tell, wait, news } = oneShot();
      tell("S", ...working, permission("p1"));
      decider.settle(all);
      await wait();
      expect(handed).toEqual([]);
      expect(news()).toEqual(["S pause silent shutdown p1", "S done silent shutdown"]);
    });

    test("where nothing can be started the line says so", async () => {
      const { decider, tell, wait, news } = oneShot({}, false);
      tell("S", ...working, ended);
      decider.settle(all);
      await wait();
      expect(news()).toEqual(["S done failed no-channel"]);
    });

    test("settings hold here too", async () => {
      const { decider, handed, tell, wait, news } = oneShot({ file: { alerts: { exclude: ["s"] } } });
      tell("S", ...working, ended);
      decider.settle(all);
      await wait();
      expect(handed).toEqual([]);
      expect(news()).toEqual(["S done silent excluded"]);
    });

    test("a banner is not handed to whoever wants to hear only", async () => {
      const { decider, handed, tell, wait, news } = oneShot({ file: { alerts: { done: { mode: "voice" } } } });
      tell("S", ...working, ended);
      decider.settle(all);
      await wait();
      expect(handed).toEqual([]);
      expect(news()).toEqual(["S done failed no-channel"]);
    });

    test("has no time to ask what the screen does", async () => {
      const ask = () => expect.fail("nobody waits for the answer");
      const { decider, handed, tell } = oneShot({ more: { screen: { isLocked: ask, doNotDisturb: ask } } });
      tell("S", ...working, ended);
      decider.settle(() => true);
      await decider.delivered();
      expect(handed).toHaveLength(1);
    });

    test.each([
      ["an end", [ended], 400, "S done silent shutdown"],
      ["an ask", [permission("p1")], 350, "S pause silent shutdown p1"],
    ] as const)("%s whose screen is being asked about has its line", async (_, events, settleMs, line) => {
      const never = () => new Promise<boolean>(() => {});
      const { decider, terminals, tell, wait, news } = stage({
        more: { screen: { isLocked: never, doNotDisturb: never } },
      });
      terminals.shows("T1", "S");
      tell("S", ...working, ...events);
      await wait(settleMs);
      expect(news()).toEqual([]);
      decider.settle(all);
      expect(news()).toContain(line);
      await wait(1_000);
      expect(news()).toEqual([]);
    });

    test("while it runs, alerts leave the usual way", async () => {
      const { handed, tell, wait, sent } = oneShot();
      tell("S", ...working, ended);
      await wait(400);
      expect(handed).toEqual([]);
      expect(sent).toHaveLength(1);
    });
  });
});

describe("taking over", () => {
  test("windows, open asks and told banners go on under the next", async () => {
    const first = stage();
    first.tell("S", ...working, permission("p1"));
    await first.wait(350);
    first.root("R");
    first.tell("R", ...working, ended);
    const second = createDeciderStage({ state: first.decider.stop(), up: first.up });
    expect(first.clock.waiting()).toBe(0);
    await second.wait(350); // its clock begins anew
    second.tell("S", { kind: "answered", requestID: "p1", how: "replied" });
    await second.wait(400);
    expect(first.news()).toEqual(["S pause delivered unattended p1"]);
    expect(second.news().toSorted()).toEqual(["R done delivered unattended", "S pause withdrawn answered p1"]);
  });

  test("an event heard before it, and by another instance after it, counts once", async () => {
    const before = stage();
    const asked = { sessionID: "S", id: "evt_asked", events: [permission("p1")] };
    const answered = {
      sessionID: "S",
      id: "evt_answered",
      events: [{ kind: "answered", how: "replied", requestID: "p1" }],
    } as const;
    before.tell("S", ...working);
    for (const event of [asked, answered]) before.decider.receive(event);
    expect(before.news()).toEqual(["S pause silent auto-answered p1"]);
    const after = createDeciderStage({ state: before.decider.stop() });
    for (const event of [asked, answered]) after.decider.receive(event);
    await after.wait(350);
    expect(after.news()).toEqual([]);
  });

  test("an end that was sent before it is no end of before the plugin's start", async () => {
    const before = stage();
    before.tell("S", ...working);
    const sentAt = before.clock.wall();
    await before.wait(5);
    const after = createDeciderStage({ state: before.decider.stop() });
    await after.wait(5); // its clock begins anew
    after.decider.receive({ sessionID: "S", id: "evt_ended", created: sentAt, events: [ended] });
    await after.wait(400);
    expect(after.news()).toEqual(["S done delivered unattended"]);
  });
});

test("a channel that never answers holds nothing up but its own line", async () => {
  const { behave, tell, wait, news, sent, ...made } = stage();
  behave("banner", "hangs");
  tell("S", ...working, ended);
  await wait(400);
  behave("banner", "ok");
  made.root("R");
  tell("R", ...working, ended);
  await wait(400);
  expect(sent).toHaveLength(2);
  expect(news()).toEqual(["R done delivered unattended"]);
});
