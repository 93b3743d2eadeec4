import { expect, test } from "vitest";
import type { RelayAddress } from "../../src/tui/relay-client.ts";
import { createRelayClients } from "../../src/tui/relay-clients.ts";

function setUp() {
  const started: { address: RelayAddress; welcome: boolean; stopped: boolean; mayComeBack(): boolean }[] = [];
  const clients = createRelayClients((address, mayComeBack) => {
    const client = { address, welcome: false, stopped: false, mayComeBack };
    started.push(client);
    return {
      welcomedBy: () => (client.welcome ? address.id : undefined),
      tell: () => {},
      stop() {
        client.stopped = true;
      },
    };
  });
  return { clients, started };
}
const relay = (id: string): RelayAddress => ({ id, url: `ws://127.0.0.1:1/${id}`, token: id });
const [a, b] = [relay("a"), relay("b")];

test("each relay that is announced has one connection, and one that never answered is left with its file", () => {
  const { clients, started } = setUp();
  clients.keep([a]);
  clients.keep([a, b]);
  expect(started.map(({ address }) => address)).toEqual([a, b]);
  clients.keep([b]);
  expect(started.map(({ stopped }) => stopped)).toEqual([true, false]);
  expect(clients.addresses()).toEqual([b]);
});

test("a relay that welcomed us is not left because its file is gone or cannot be read: whoever looks stays known", () => {
  const { clients, started } = setUp();
  clients.keep([a]);
  for (const client of started) client.welcome = true;
  clients.keep([]);
  expect(started[0]?.stopped).toBe(false);
  expect(clients.isWelcomeAt("a")).toBe(true);
  clients.keep([a]);
  expect(started).toHaveLength(1);
});

test("nobody comes back to a relay that ended and is not announced any more", () => {
  const { clients, started } = setUp();
  clients.keep([a]);
  expect(started[0]?.mayComeBack()).toBe(true);
  for (const client of started) client.welcome = true;
  clients.keep([]);
  expect(started[0]?.mayComeBack()).toBe(false);
  expect(clients.addresses()).toEqual([]);
  clients.keep([a]);
  expect(started).toHaveLength(2);
});

test("at the end every relay is left", () => {
  const { clients, started } = setUp();
  clients.keep([a, b]);
  for (const client of started) client.welcome = true;
  clients.stop();
  expect(started.every(({ stopped }) => stopped)).toBe(true);
  expect(started.some(({ mayComeBack }) => mayComeBack())).toBe(false);
});
