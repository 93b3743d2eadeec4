import * as z from "zod/mini";
import { fail, ok, type Result } from "./result.ts";

/** Where relays are announced and what such a file says. Paths and shapes only; nobody reads a disk here. */
export type Environment = Readonly<Record<string, string | undefined>>;

const present = (value: string | undefined): string | undefined => (value === "" ? undefined : value);

/** `BECKON_STATE_DIR`, else `opencode-beckon` below `$XDG_STATE_HOME` or `~/.local/state`; undefined without a home. */
export function stateDirectory(env: Environment): string | undefined {
  const own = present(env.BECKON_STATE_DIR);
  if (own !== undefined) return own;
  const home = present(env.HOME) ?? present(env.USERPROFILE);
  const base = present(env.XDG_STATE_HOME) ?? (home === undefined ? undefined : `${home}/.local/state`);
  return base === undefined ? undefined : `${base}/opencode-beckon`;
}

/** `BECKON_RUNTIME_DIR`, else `opencode-beckon` below `$XDG_RUNTIME_DIR`; undefined where there is none (macOS, many a container). */
export function runtimeDirectory(env: Environment): string | undefined {
  const own = present(env.BECKON_RUNTIME_DIR);
  if (own !== undefined) return own;
  const base = present(env.XDG_RUNTIME_DIR);
  return base === undefined ? undefined : `${base}/opencode-beckon`;
}

/**
 * Every folder relays are announced in, and looked for in: a server started as a service, as root or in CI
 * may see another runtime folder than the terminal does.
 */
export function relayDirectories(env: Environment): string[] {
  const bases = [runtimeDirectory(env), stateDirectory(env)];
  return [...new Set(bases.filter((base) => base !== undefined).map((base) => `${base}/relays`))];
}

const loopbackAddress = /^ws:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}\/[a-z]*$/;

const descriptor = z.object({
  url: z.string().check(z.maxLength(100), z.regex(loopbackAddress)),
  token: z.string().check(z.minLength(1), z.maxLength(128)),
  pid: z.int().check(z.gte(1)),
  /** Epoch ms of the relay's start: a process that began later only has the same pid. */
  startedAt: z.number(),
  line: z.enum(["v1", "v2"]),
  directories: z.array(z.string()),
  protocol: z.int(),
});
export type Descriptor = z.output<typeof descriptor>;

/** A newer relay may say more: unknown keys are dropped. */
export function readDescriptor(text: string): Result<Descriptor, "notADescriptor"> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return fail("notADescriptor");
  }
  const read = descriptor.safeParse(json);
  return read.success ? ok(read.data) : fail("notADescriptor");
}

export const descriptorName = (relayID: string): string => `${relayID}.json`;

/** The relay's id from its file's name; undefined for drafts, dot files and whatever else lies there. */
export const relayIDFromName = (name: string): string | undefined => /^([a-z0-9]{8,64})\.json$/.exec(name)?.[1];

/** `BECKON_RELAY=ws://127.0.0.1:7777/focus#token`: a relay reached through a tunnel. */
export function readRelayAddress(text: string | undefined): { url: string; token: string } | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  const token = address.hash.slice(1);
  if ((address.protocol !== "ws:" && address.protocol !== "wss:") || token === "") return undefined;
  address.hash = "";
  return { url: address.href, token };
}
