import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { text, tool } from "../conformance/deeds.ts";
import type { Breakage } from "../conformance/event-streams.ts";
import type { Stories } from "../conformance/stories.ts";
import { tellStories } from "../conformance/stories.ts";
import type { Story } from "../conformance/story.ts";
import { waitFor } from "../rig/host/wait-for.ts";

const locations = 5;
const sessions = 20;
const manyEvents = 10_000;

/** Everything is decided at once and nothing is shown: what counts is that it is decided, and how often. */
const quiet = { mode: "none", settleMs: 0 };
const beckon = { alerts: { pause: quiet, done: quiet, error: quiet } };

/** What happens next: mostly to a session, now and then to the plugin. */
type Happening =
  | { kind: "session"; index: number; turn: number }
  | { kind: "evict" | "use"; index: number }
  | { kind: "break"; index: number; how: Breakage };

const index = fc.nat();
const happening = fc.oneof(
  { weight: 60, arbitrary: fc.record({ kind: fc.constant("session" as const), index, turn: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("evict" as const, "use" as const), index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("break" as const),
      index,
      how: fc.constantFrom<Breakage>("throw", "end", "stall"),
    }),
  },
);
/** Two reloads of everything at two moments of the run. */
const life = fc.record({
  happenings: fc.array(happening, { minLength: 300, maxLength: 300 }),
  reloads: fc.tuple(fc.nat(299), fc.nat(299)),
});

/** A session under way, and what of it must be decided. */
type Actor = {
  story: Story;
  location: number;
  state: "idle" | "working" | "asking";
  ends: number;
  asked: string[];
  prompts: number;
};

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function begin(actor: Actor) {
  actor.prompts += 1;
  actor.story.typed("go on", { as: `prompt${actor.prompts}` });
  actor.state = "working";
}

function ask(actor: Actor) {
  const { story, asked } = actor;
  const key = `ask${asked.length}`;
  story
    .opensStep()
    .begins(key, "shell")
    .asks(key, { forTool: key, resource: `${story.id} ${key}` });
  asked.push(story.ask(key));
  actor.state = "asking";
}

function end(actor: Actor, turn: number) {
  const { story } = actor;
  if (turn % 4 === 0) story.step(text()).succeeds();
  else if (turn % 4 === 1) story.step(tool("shell"), tool("edit")).step().succeeds();
  else if (turn % 4 === 2) story.opensStep().fails();
  else story.opensStep().interrupted("user");
  actor.ends += 1;
  actor.state = "idle";
}

function answer(actor: Actor, turn: number) {
  const { story, asked } = actor;
  const key = `ask${asked.length - 1}`;
  actor.state = "working";
  if (turn % 3 === 0) return story.replied(key).finishes(key).closesStep();
  if (turn % 3 === 1) return story.replied(key, "reject", "not so").breaks(key).closesStep();
  end(actor, 3); // it goes without a reply
}

function act(actor: Actor, turn: number) {
  if (actor.state === "idle") return turn % 3 === 0 ? begin(actor) : undefined;
  if (actor.state === "asking") return answer(actor, turn);
  if (turn % 5 < 2) return ask(actor);
  if (turn % 5 === 2) return void actor.story.step(tool("read"), tool("grep"), tool("edit"), text("so far"));
  end(actor, turn);
}

async function stage(host: ConformanceHost) {
  const { server, home } = host;
  await server.close({ directory: home.project }); // no instance is there for good
  const places = Array.from({ length: locations }, (_, at) => ({ directory: join(home.project, `at${at}`) }));
  const stories: Stories[] = [];
  for (const { directory } of places) {
    mkdirSync(directory);
    stories.push(await tellStories(server, { directory }));
  }
  const actors = Array.from({ length: sessions }, (_, at): Actor => {
    const location = at % locations;
    const told = stories[location];
    if (told === undefined) throw new Error("no such location");
    return { story: told.session(`L${at}`), location, state: "idle", ends: 0, asked: [], prompts: 0 };
  });
  return { places, actors };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** §2.5: only a location without a run is closed. */
const isQuiet = ({ actors }: Stage, location: number) =>
  actors.every((actor) => actor.location !== location || actor.state === "idle");

/**
 * Closing, reloading and breaking go on while sessions work, but never so that nobody hears: what happens then is told
 * in v2-recovery.
 */
function createTrouble({ server }: ConformanceHost) {
  let going: Promise<unknown> | undefined;
  const done = { reloads: 0, closings: 0, breaks: 0 };
  const mayBegin = () => going === undefined && server.streams.hearing() > 1;
  return {
    done,
    /** False: not now. */
    begin(what: "reloads" | "closings", work: () => Promise<unknown>): boolean {
      if (!mayBegin()) return false;
      done[what] += 1;
      going = work().finally(() => {
        going = undefined;
      });
      return true;
    },
    breakOne(how: Breakage, place: { directory: string }) {
      const { count, hearing } = server.streams;
      if (!mayBegin() || hearing() < 3 || (how === "stall" && count() > hearing())) return;
      done.breaks += 1;
      server.breakStreams(how, place);
    },
    over: async () => void (await going),
  };
}

type Trouble = ReturnType<typeof createTrouble>;

async function happen(host: ConformanceHost, on: Stage, trouble: Trouble, next: Happening) {
  const { server } = host;
  const at = next.index % locations;
  const place = on.places[at];
  const actor = on.actors[next.index % sessions];
  if (place === undefined || actor === undefined) throw new Error("no such place");
  if (next.kind === "session") {
    await server.use(on.places[actor.location] ?? place);
    act(actor, next.turn);
  }
  if (next.kind === "use") await server.use(place);
  const quiet = on.places.map((_, step) => (at + step) % locations).find((which) => isQuiet(on, which));
  const closed = on.places[quiet ?? locations];
  if (next.kind === "evict" && closed !== undefined) trouble.begin("closings", () => server.close(closed));
  if (next.kind === "break") trouble.breakOne(next.how, place);
  await settle();
}

/** Lines that decide something for the first time: a later word about it follows one of them. */
const decides = (outcome: string) => outcome !== "withdrawn" && outcome !== "deferred";

async function counted(host: ConformanceHost, { actors }: Stage) {
  const lines = (await host.decisions()).filter(({ outcome }) => decides(outcome));
  const ends = new Map<string, number>();
  const asks = new Map<string, number>();
  const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1);
  for (const { alert, sessionID, requestID } of lines) add(alert === "pause" ? asks : ends, requestID ?? sessionID);
  return {
    ends: actors.map(({ story }) => ends.get(story.id) ?? 0),
    asks: actors.flatMap(({ asked }) => asked.map((id) => asks.get(id) ?? 0)),
  };
}

test.each(["query", "copy"] as const)(
  "whatever instances come, go, reload (%s) or fall silent, each ask and each busy period is decided exactly once",
  async (reloadBy) => {
    await fc.assert(
      fc.asyncProperty(life, async ({ happenings, reloads }) => {
        const host = await startConformanceHost({ beckon, process: { reloadBy } });
        try {
          const on = await stage(host);
          const trouble = createTrouble(host);
          let [events, due] = [0, 0];
          host.server.publisher.listen(() => {
            events += 1;
          });
          for (let round = 0; events < manyEvents; round++)
            for (const [at, next] of happenings.entries()) {
              await happen(host, on, trouble, { ...next, index: next.index + round });
              if (round === 1) due += reloads.filter((when) => when === at).length;
              if (due > 0 && trouble.begin("reloads", () => host.server.reload())) due -= 1;
            }
          for (; due > 0; await settle()) if (trouble.begin("reloads", () => host.server.reload())) due -= 1;
          await trouble.over();
          for (const actor of on.actors) {
            if (actor.state === "asking") answer(actor, 0);
            if (actor.state === "working") end(actor, 0);
          }
          const wanted = {
            ends: on.actors.map(({ ends }) => ends),
            asks: on.actors.flatMap(({ asked }) => asked.map(() => 1)),
          };
          const enough = ({ ends }: typeof wanted) => ends.every((count, which) => count >= (wanted.ends[which] ?? 0));
          await waitFor("the last decision", async () => enough(await counted(host, on)) || undefined, 10_000).catch(
            () => {},
          );
          expect(await counted(host, on)).toEqual(wanted);
          expect(trouble.done.reloads).toBe(2);
        } finally {
          await host.close();
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  },
);
