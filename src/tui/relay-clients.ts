import type { RelayAddress, RelayClient, Told } from "./relay-client.ts";

export type RelayClients = {
  /** These and no others: new ones are connected, missing ones left. */
  keep(relays: readonly RelayAddress[]): void;
  tell(told: Told): void;
  isWelcomeAt(relayID: string): boolean;
  addresses(): readonly RelayAddress[];
  stop(): void;
};

/** One client for every relay: session ids are unique, so nobody has to know which server shows what. */
export function createRelayClients(start: (address: RelayAddress) => RelayClient): RelayClients {
  const clients = new Map<string, { address: RelayAddress; client: RelayClient }>();
  const key = ({ id, url, token }: RelayAddress) => [id, url, token].join(" ");

  function keep(relays: readonly RelayAddress[]): void {
    const wanted = new Set(relays.map(key));
    for (const [known, { client }] of clients) {
      if (wanted.has(known)) continue;
      client.stop();
      clients.delete(known);
    }
    for (const address of relays)
      if (!clients.has(key(address))) clients.set(key(address), { address, client: start(address) });
  }

  return {
    keep,
    tell(told) {
      for (const { client } of clients.values()) client.tell(told);
    },
    isWelcomeAt: (relayID) => [...clients.values()].some(({ client }) => client.welcomedBy() === relayID),
    addresses: () => [...clients.values()].map(({ address }) => address),
    stop: () => keep([]),
  };
}
