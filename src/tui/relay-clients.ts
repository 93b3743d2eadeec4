import type { RelayAddress, RelayClient, Told } from "./relay-client.ts";

export type RelayClients = {
  /** These are announced. New ones are connected; missing ones are left, unless they welcomed us: those live. */
  keep(relays: readonly RelayAddress[]): void;
  tell(told: Told): void;
  isWelcomeAt(relayID: string): boolean;
  addresses(): readonly RelayAddress[];
  stop(): void;
};

/**
 * One client for every relay: session ids are unique, so nobody has to know which server shows what.
 * `mayComeBack`: asked by a client whose connection ended.
 */
export function createRelayClients(
  start: (address: RelayAddress, mayComeBack: () => boolean) => RelayClient,
): RelayClients {
  const clients = new Map<string, { address: RelayAddress; client: RelayClient }>();
  const key = ({ id, url, token }: RelayAddress) => [id, url, token].join(" ");
  let announced = new Set<string>();

  function leave(known: string): void {
    clients.get(known)?.client.stop();
    clients.delete(known);
  }

  function mayComeBack(known: string): boolean {
    if (announced.has(known)) return true;
    clients.delete(known);
    return false;
  }

  function keep(relays: readonly RelayAddress[]): void {
    announced = new Set(relays.map(key));
    for (const [known, { client }] of clients)
      if (!announced.has(known) && client.welcomedBy() === undefined) leave(known);
    for (const address of relays) {
      const name = key(address);
      if (!clients.has(name)) clients.set(name, { address, client: start(address, () => mayComeBack(name)) });
    }
  }

  return {
    keep,
    tell(told) {
      for (const { client } of clients.values()) client.tell(told);
    },
    isWelcomeAt: (relayID) => [...clients.values()].some(({ client }) => client.welcomedBy() === relayID),
    addresses: () => [...clients.values()].map(({ address }) => address),
    stop() {
      announced = new Set();
      for (const known of [...clients.keys()]) leave(known);
    },
  };
}
