import { afterEach, beforeEach, expect, test } from "vitest";
import type { NoteEvent, SentAway } from "../../../src/server/delivery/channel.ts";
import { createLazyPush } from "../../../src/server/delivery/lazy-push.ts";
import type { Push } from "../../../src/server/delivery/push.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { type Ntfy, startNtfy } from "../../rig/ntfy/ntfy-server.ts";

let ntfy: Ntfy;
let events: NoteEvent[];
let pushes: Push[];
beforeEach(async () => {
  ntfy = await startNtfy();
  [events, pushes] = [[], []];
});
afterEach(async () => {
  for (const push of pushes) push.stop();
  await ntfy.close();
});

function start(adopted: SentAway): Push {
  const push = createLazyPush({
    ...{ env: {}, clock: systemClock, log: () => {}, onNote: (event) => events.push(event) },
    adopted,
  });
  pushes.push(push);
  return push;
}

const adopted = (): SentAway => {
  const common = { url: ntfy.url, topic: "phone", afterSeconds: 0, title: false, detail: false, actions: true };
  const target = { type: "ntfy" as const, ...common, events: ["pause" as const] };
  const buttons = [{ value: "the-value", action: "once:per_1", label: "Allow once" }];
  const way = { requestID: "per_1", key: "session.S", sessionID: "S", target, topic: "beckon-topic", buttons };
  return { pushed: [{ key: "session.S", targets: [target] }], waysBack: [way] };
};

test("buttons that were on somebody's phone before are listened for without another message", async () => {
  start(adopted());
  await waitUntil("a listener", () => ntfy.topics().length > 0);
  ntfy.write("beckon-topic", "the-value");
  await waitUntil("the button", () => events.length > 0);
  expect(events).toMatchObject([{ action: "once:per_1", from: "push" }]);
});

test("what was sent before can be taken back", async () => {
  expect(await start({ ...adopted(), waysBack: [] }).withdraw("session.S")).toBe(true);
  expect(ntfy.requests).toMatchObject([{ method: "DELETE" }]);
});

test("what nobody sent asks nobody", async () => {
  expect(await start(adopted()).withdraw("session.R")).toBe(false);
  expect(ntfy.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});

test.each<[string, (push: Push) => void]>([
  ["stops", (push) => expect(push.stop()).toEqual(adopted())],
  ["hears that the ask is closed", (push) => push.closed("per_1")],
])("one that %s before it has begun listens to nothing", async (_, end) => {
  end(start(adopted()));
  const other = start({ pushed: [], waysBack: adopted().waysBack.map((way) => ({ ...way, topic: "beckon-other" })) });
  await waitUntil("the other one", () => ntfy.topics().includes("beckon-other"));
  await waitUntil("nobody else", () => ntfy.topics().length === 1);
  ntfy.write("beckon-topic", "the-value");
  ntfy.write("beckon-other", "the-value");
  await waitUntil("the other button", () => events.length > 0);
  other.stop();
  expect(events).toHaveLength(1);
});
