import { type Child, printed, startChild } from "./child.ts";
import { findHost } from "./find-host.ts";
import { type HostClient, hostClient } from "./host-client.ts";
import { followEvents, type HostEvents } from "./host-events.ts";
import type { IsolatedHome } from "./isolated-home.ts";

/** `opencode serve` on a port of the system's choice, with its plugins up. */
export type HostServer = { url: string; child: Child; client: HostClient; events: HostEvents; close(): Promise<void> };

export function hostProgram(): string {
  const found = findHost();
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

/** `env` is added to the home's own environment. */
export async function startServer(home: IsolatedHome, env: Record<string, string> = {}): Promise<HostServer> {
  const child = startChild(hostProgram(), ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: home.project,
    env: { ...home.env, ...env },
  });
  try {
    // Not the port that was asked for: the host takes 4096 for 0 when it is free.
    const url = (await printed(child, /listening on (http:\/\/[0-9.:]+)/))[1] ?? "";
    const events = await followEvents(url, home.project);
    const client = hostClient(url, home.project);
    await client.sessions();
    const close = async () => {
      events.close();
      await child.end();
    };
    return { url, child, client, events, close };
  } catch (error) {
    await child.end();
    throw error;
  }
}
