import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { openTopicStream } from "../../../src/server/delivery/topic-stream.ts";
import type { Clock } from "../../../src/shared/clock.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";

/** Time passes only where a test says so: waits between connections are over at once, deadlines never come. */
function createSkippingClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  return {
    now: () => now,
    wall: () => now,
    after(ms, run) {
      const timer = ms < 10_000 ? setImmediate(run) : undefined;
      return () => clearImmediate(timer);
    },
    pass(ms) {
      now += ms;
    },
  };
}

/** Listens to a server that answers like this, until `isEnough`. */
async function listenTo(answer: RequestListener, clock: Clock, isEnough: (texts: string[]) => boolean) {
  const server = createServer(answer);
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const texts: string[] = [];
  const troubles: string[] = [];
  const stream = openTopicStream({
    url: `http://127.0.0.1:${port}/t/json`,
    env: {},
    clock,
    heard(text) {
      texts.push(text);
      if (isEnough(texts)) stream.close();
    },
    trouble: (why) => troubles.push(why),
  });
  await waitUntil("enough", () => isEnough(texts));
  stream.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return { texts, troubles };
}

test.each([
  ["that breaks at once, again and again, is told", 0, ["the server ended it"]],
  ["that holds for a minute each time is none to speak of", 60_000, []],
])("a connection %s", async (_name, lastsMs, told) => {
  const clock = createSkippingClock();
  let connections = 0;
  const { troubles } = await listenTo(
    (_, response) => {
      connections += 1;
      clock.pass(lastsMs);
      response.end();
    },
    clock,
    () => connections > 3,
  );
  expect(troubles).toEqual(told);
});

test("nothing is heard any more of a stream that was closed by what was heard", async () => {
  const message = (text: string): string => `${JSON.stringify({ event: "message", message: text })}\n`;
  const { texts } = await listenTo(
    (_, response) => void response.write(message("first") + message("second")),
    createSkippingClock(),
    (heard) => heard.length > 0,
  );
  expect(texts).toEqual(["first"]);
});
