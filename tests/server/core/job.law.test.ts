import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { createSessionStage, permission, working } from "../../fakes/session-stage.ts";

/**
 * One job: a person's prompt, real work, subagents in the background that wake their parent as they end, asks of
 * theirs, and questions of the person's in between. The host behaves as hosts do; only the order is left to chance.
 */
const subagents = ["A", "B", "C"] as const;
type SubagentID = (typeof subagents)[number];

type Step =
  | { do: "end" | "chat" }
  | { do: "work" | "ask" | "answer" | "finish"; who: SubagentID }
  | { do: "wait"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("end" as const, "end" as const, "chat" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("work" as const, "ask" as const, "answer" as const, "finish" as const),
      who: fc.constantFrom(...subagents),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 50, 200, 399, 400, 1_000, 3_000) }),
  },
);

const story = fc.record({
  steps: fc.array(step, { maxLength: 40 }),
  /** How many of the subagents the job launches. */
  launched: fc.integer({ min: 1, max: subagents.length }),
  /** How long the host takes to tell the messages; longer than anybody waits for it is never. */
  hostDelayMs: fc.constantFrom(0, 100, 600, 900, 5_000),
  /** From a subagent's end until its result wakes the parent. Later than the window, nobody could know that it comes. */
  wakesAfterMs: fc.constantFrom(0, 1, 100, 399),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const run: readonly SessionEvent[] = [{ kind: "started" }, { kind: "stepStarted" }];

/** The host, as far as it matters: who is busy, who asks, and what follows from it. */
function createFamily({ launched, hostDelayMs, wakesAfterMs }: Omit<Story, "steps">) {
  const tooEarly: string[] = [];
  const busy = new Set<string>(["S"]);
  const unfinished = new Set<SubagentID>(subagents.slice(0, launched));
  const asks = new Map<SubagentID, string>();
  let asked = 0;
  const stage = createSessionStage({
    onDone: () => tooEarly.push(...[...busy].map((id) => `${id} works`), ...[...asks.keys()].map((id) => `${id} asks`)),
  });
  const { clock, host, tell } = stage;
  host.delay(hostDelayMs);
  host.messages.set("S", [{ role: "user", texts: [{ synthetic: false }] }]);
  stage.root("S");
  for (const who of subagents) stage.child(who, "S");
  tell("S", ...working);
  for (const childID of unfinished) tell("S", { kind: "childLinked", childID, launched: true });

  /** What comes while it is busy is read in the run that goes on. */
  function prompt(trigger: "typed" | "synthetic"): void {
    tell("S", { kind: "prompted", trigger });
    if (busy.has("S")) return;
    busy.add("S");
    tell("S", ...run);
  }
  function work(who: SubagentID): void {
    if (!unfinished.has(who)) return;
    tell(who, ...(busy.has(who) ? [] : run), { kind: "stepEnded" });
    busy.add(who);
  }
  function ask(who: SubagentID): void {
    work(who);
    if (!unfinished.has(who) || asks.has(who)) return;
    asked += 1;
    asks.set(who, `p${asked}`);
    tell(who, permission(`p${asked}`));
  }
  function answer(who: SubagentID): void {
    const requestID = asks.get(who);
    if (requestID === undefined) return;
    asks.delete(who);
    tell(who, { kind: "answered", requestID, how: "replied" });
  }
  function finish(who: SubagentID): void {
    work(who);
    answer(who);
    if (!unfinished.delete(who)) return;
    busy.delete(who);
    tell(who, { kind: "ended" });
    clock.after(wakesAfterMs, () => prompt("synthetic"));
  }
  function end(): void {
    if (busy.delete("S")) tell("S", { kind: "ended" });
  }
  /** Small steps: an answer of the host comes in between. */
  async function wait(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) await stage.wait(Math.min(50, left));
  }
  return { ...stage, tooEarly, prompt, work, ask, answer, finish, end, wait };
}
type Family = ReturnType<typeof createFamily>;

function act(family: Family, step: Step): void | Promise<void> {
  switch (step.do) {
    case "end":
      return family.end();
    case "chat":
      return family.prompt("typed");
    case "wait":
      return family.wait(step.ms);
    default:
      return family[step.do](step.who);
  }
}

/** Every story is played to its very end: nobody runs, nobody asks, nothing is on its way. */
const everyStory = (holds: (played: Family) => void) =>
  fc.assert(
    fc.asyncProperty(story, async ({ steps, ...given }) => {
      const family = createFamily(given);
      for (const each of steps) await act(family, each);
      for (const who of subagents) family.finish(who);
      await family.wait(given.wakesAfterMs + 1);
      family.end();
      await family.wait(7_000);
      holds(family);
    }),
    { numRuns: 200 },
  );

test("a job is told to be done once, unless a new prompt overtook its end", async () => {
  await everyStory(({ lines }) => {
    const told = lines.filter((line) => line === "S done").length;
    expect(told).toBeLessThanOrEqual(1);
    if (!lines.includes("S done silent superseded")) expect(told).toBe(1);
  });
});

test("nothing is told to be done while anybody of its family works or asks", async () => {
  await everyStory(({ tooEarly }) => {
    expect(tooEarly).toEqual([]);
  });
});

test("a job leaves no timer behind", async () => {
  await everyStory(({ clock }) => {
    expect(clock.waiting()).toBe(0);
  });
});
