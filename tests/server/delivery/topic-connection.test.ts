import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { readStream } from "../../../src/server/delivery/topic-connection.ts";
import { systemClock } from "../../../src/shared/clock.ts";

/** How a connection to a server that answers like this ends, and what was read of it. */
async function endOf(answer: RequestListener, read: (chunk: string) => boolean = () => true) {
  const server = createServer(answer);
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { signal } = new AbortController();
  const end = await readStream({
    url: `http://127.0.0.1:${port}/t/json`,
    env: {},
    clock: systemClock,
    signal,
    mostBytes: 1_000_000,
    read,
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return end;
}

test.each([408, 425, 429, 500, 503])("a server that answers %i is asked again", async (status) => {
  expect(await endOf((_, response) => response.writeHead(status).end())).toEqual({ why: `HTTP ${status}`, bytes: 0 });
});

test.each([301, 401, 403, 404])("one that answers %i is not: another time would be no better", async (status) => {
  expect(await endOf((_, response) => response.writeHead(status).end())).toEqual({
    why: `HTTP ${status}`,
    bytes: 0,
    final: true,
  });
});

test("nothing is read any more of a server that said what is not ntfy's", async () => {
  const heard: string[] = [];
  const end = await endOf(
    (_, response) => {
      response.write("one", () => response.end("two"));
    },
    (chunk) => {
      heard.push(chunk);
      return false;
    },
  );
  expect(end).toMatchObject({ final: true });
  expect(heard).toHaveLength(1);
});
