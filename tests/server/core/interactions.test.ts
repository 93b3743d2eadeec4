import { describe, expect, test } from "vitest";
import type { Note } from "../../../src/server/delivery/channel.ts";
import { configWith } from "../../fakes/config.ts";
import { createDeciderStage, type DeciderStageOptions } from "../../fakes/decider-stage.ts";
import { permission, working } from "../../fakes/session-stage.ts";

const closed = (requestID: string) => ({ kind: "answered", requestID, how: "replied" }) as const;

/** Buttons on banners and on messages, and a host whose word on an answer the test gives. */
function stage({ file = {}, more = {}, ...rest }: DeciderStageOptions = {}) {
  const asked: string[] = [];
  const words: { takes(): void; refuses(): void }[] = [];
  const log: string[] = [];
  const pushed: { note: Note; asks: string | undefined }[] = [];
  const forgotten: string[] = [];
  const made = createDeciderStage({
    file: {
      alerts: {
        pause: { actions: true },
        push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 60, actions: true }],
      },
      ...file,
    },
    more: {
      log: (line) => log.push(line),
      push: {
        async send(note, _target, asks) {
          pushed.push({ note, asks });
          return { ok: true, outlet: "ntfy", certainty: "accepted" };
        },
        withdraw: () => Promise.resolve(true),
        closed: (requestID) => forgotten.push(requestID),
      },
      ...more,
    },
    answer: (...told) => {
      asked.push(told.join(" "));
      return new Promise((takes, refuses) => {
        words.push({ takes, refuses: () => refuses(new Error("503")) });
      });
    },
    ...rest,
  });
  if (rest.state === undefined) made.root("S");
  const press = (action: string, from?: "push") =>
    made.decider.acted({ type: "action", key: "session.S", sessionID: "S", action, ...(from ? { from } : {}) });
  return {
    ...made,
    asked,
    log,
    pushed,
    forgotten,
    press,
    /** The host's word on the answer that was given first, second, … */
    word: (at: number) => words[at] ?? expect.fail("nothing was answered"),
    async ask(...requestIDs: string[]): Promise<void> {
      made.tell("S", ...working, ...requestIDs.map((id) => permission(id)));
      await made.wait(350);
    },
    lastLine: () => made.decided.at(-1),
  };
}

const buttons = (note: Note | undefined) => note?.actions?.map(({ key }) => key);

describe("the line of an answer names where it came from", () => {
  test.each(["before", "after"])("when the host's word comes %s the news of it", async (when) => {
    const { ask, press, word, tell, wait, lastLine } = stage();
    await ask("p1");
    press("once:p1");
    if (when === "before") word(0).takes();
    tell("S", closed("p1"));
    await wait();
    word(0).takes();
    await wait();
    expect(lastLine()).toMatchObject({ outcome: "withdrawn", reason: "answered", by: "banner: once" });
  });

  test("not when the host refused it, and somebody else had answered", async () => {
    const { ask, press, word, tell, wait, lastLine } = stage();
    await ask("p1");
    press("once:p1");
    tell("S", closed("p1"));
    await wait();
    word(0).refuses();
    await wait();
    expect(lastLine()).toMatchObject({ outcome: "withdrawn", reason: "answered" });
    expect(lastLine()).not.toHaveProperty("by");
  });

  test("not when the host never says a word: the line does not wait for ever", async () => {
    const { ask, press, tell, wait, lastLine } = stage();
    await ask("p1");
    press("once:p1");
    tell("S", closed("p1"));
    await wait(5_000);
    expect(lastLine()).toMatchObject({ outcome: "withdrawn", reason: "answered" });
    expect(lastLine()).not.toHaveProperty("by");
  });

  test("not when the ask was not answered after all", async () => {
    const { ask, press, word, tell, wait, lastLine } = stage();
    await ask("p1");
    press("once:p1");
    word(0).takes();
    tell("S", { kind: "prompted", trigger: "typed", promptID: "m9" });
    await wait();
    expect(lastLine()).toMatchObject({ outcome: "withdrawn", reason: "resumed" });
    expect(lastLine()).not.toHaveProperty("by");
  });
});

describe("an answer counts only while its setting is on", () => {
  const push = (actions: boolean) => [
    { type: "ntfy" as const, url: "https://ntfy.example", topic: "t", afterSeconds: 60, actions },
  ];

  test.each([
    ["banner: once", undefined, { pause: { actions: false }, push: push(true) }],
    ["push: once", "push" as const, { pause: { actions: true }, push: push(false) }],
    ["push: once", "push" as const, { pause: { actions: true }, push: [] }],
  ])(
    "%s, which was switched off since it was offered, is said to be in the log and answers nothing",
    async (by, from, alerts) => {
      let isOff = false;
      const [before, after] = [
        configWith({ alerts: { pause: { actions: true }, push: push(true) } }),
        configWith({ alerts }),
      ];
      const { ask, press, asked, log } = stage({ more: { config: () => (isOff ? after : before) } });
      await ask("p1");
      isOff = true;
      press("once:p1", from);
      expect(asked).toEqual([]);
      expect(log).toEqual([`${by}: answers are switched off, nothing was answered`]);
      isOff = false;
      press("once:p1", from);
      expect(asked).toEqual(["S p1 once"]);
    },
  );

  test("and only from the banner of the session it is about", async () => {
    const { ask, asked, decider } = stage();
    await ask("p1");
    for (const key of ["notify.S", "summary", "session.R", ""])
      decider.acted({ type: "action", key, sessionID: "S", action: "once:p1" });
    expect(asked).toEqual([]);
  });
});

describe("an ask is answered once", () => {
  test("whatever is pressed while the first answer is on its way, and wherever", async () => {
    const { ask, press, asked, log } = stage();
    await ask("p1");
    press("once:p1");
    press("reject:p1");
    press("once:p1", "push");
    expect(asked).toEqual(["S p1 once"]);
    expect(log).toEqual([
      "banner: reject: too late, nothing was answered",
      "push: once: too late, nothing was answered",
    ]);
  });

  test("and again when the host refused the first", async () => {
    const { ask, press, word, wait, asked } = stage();
    await ask("p1");
    press("once:p1");
    word(0).refuses();
    await wait();
    press("reject:p1", "push");
    expect(asked).toEqual(["S p1 once", "S p1 reject"]);
  });

  test("across a take-over: neither by the decider that left, nor twice", async () => {
    const first = stage();
    await first.ask("p1");
    first.press("once:p1");
    const state = first.decider.stop();
    const second = stage({ state });
    first.press("once:p1");
    second.press("once:p1", "push");
    expect([first.asked, second.asked]).toEqual([["S p1 once"], []]);
    first.word(0).takes();
    second.tell("S", closed("p1"));
    await second.wait();
    expect(second.lastLine()).toMatchObject({ outcome: "withdrawn", by: "banner: once" });
  });

  test("after a take-over by the one that goes on", async () => {
    const first = stage();
    await first.ask("p1");
    const second = stage({ state: first.decider.stop() });
    first.press("once:p1");
    second.press("once:p1");
    expect([first.asked, second.asked]).toEqual([[], ["S p1 once"]]);
  });
});

describe("a button answers the ask it was shown for, or nothing", () => {
  test("when another one waits by now", async () => {
    const { ask, press, tell, wait, asked } = stage();
    await ask("p1");
    tell("S", closed("p1"), permission("p2"));
    await wait(350);
    press("once:p1");
    expect(asked).toEqual([]);
    press("once:p2");
    expect(asked).toEqual(["S p2 once"]);
  });

  test.each(["once", "once:", "once:p2", "always:p1", "toString", ""])("and «%s» is none", async (action) => {
    const { ask, press, asked } = stage();
    await ask("p1");
    press(action);
    press(action, "push");
    expect(asked).toEqual([]);
  });

  test("and before anybody was called there is none", async () => {
    const { tell, press, asked } = stage();
    tell("S", ...working, permission("p1"));
    press("once:p1");
    expect(asked).toEqual([]);
  });
});

describe("a message that leaves the machine", () => {
  test("has buttons where its target wants them, without any on the banner", async () => {
    const file = { alerts: { push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", actions: true }] } };
    const { ask, wait, sent, pushed } = stage({ file });
    await ask("p1");
    await wait(120_000);
    expect(pushed).toMatchObject([{ asks: "p1" }]);
    expect(buttons(pushed[0]?.note)).toEqual(["once:p1", "reject:p1"]);
    expect(buttons(sent[0]?.note)).toEqual([]);
  });

  test("has none where its target does not want them, though banners have", async () => {
    const push = [{ type: "ntfy", url: "https://ntfy.example", topic: "t" }];
    const { ask, wait, pushed } = stage({ file: { alerts: { pause: { actions: true }, push } } });
    await ask("p1");
    await wait(120_000);
    expect(pushed).toEqual([{ note: expect.objectContaining({ actions: [] }), asks: undefined }]);
  });

  test("has none about a question, several requests, a permission without an id or an error", async () => {
    const nameless = stage();
    nameless.tell("S", ...working, permission("permission"));
    const question = stage();
    question.tell("S", ...working, permission("q1", { about: "question" }));
    const several = stage();
    several.tell("S", ...working, permission("p1"), permission("p2"));
    const error = stage();
    error.tell("S", ...working, { kind: "failed", name: "APIError" }, { kind: "ended" });
    for (const { wait, pushed } of [question, several, nameless, error]) {
      await wait(400);
      await wait(60_000);
      expect(pushed).toMatchObject([{ asks: undefined, note: { actions: [] } }]);
    }
  });

  test("is answered like a banner, and the line says that it was the message", async () => {
    const { ask, press, word, tell, wait, asked, lastLine } = stage();
    await ask("p1");
    await wait(60_000);
    press("reject:p1", "push");
    word(0).takes();
    tell("S", closed("p1"));
    await wait();
    expect(asked).toEqual(["S p1 reject"]);
    expect(lastLine()).toMatchObject({ outcome: "withdrawn", reason: "answered", by: "push: reject" });
  });

  test("about an ask that is closed is not listened to any more, also when it was still on its way", async () => {
    let arrives = () => {};
    const forgotten: string[] = [];
    const { ask, tell, wait } = stage({
      more: {
        push: {
          send: () =>
            new Promise((resolve) => {
              arrives = () => resolve({ ok: true, outlet: "ntfy", certainty: "accepted" });
            }),
          withdraw: () => Promise.resolve(true),
          closed: (requestID) => forgotten.push(requestID),
        },
      },
    });
    await ask("p1");
    await wait(60_000);
    tell("S", closed("p1"));
    expect(forgotten).toEqual(["p1"]);
    arrives();
    await wait();
    expect(forgotten).toEqual(["p1", "p1"]);
  });
});
