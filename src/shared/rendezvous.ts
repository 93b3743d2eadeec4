import * as z from "zod/mini";
import { fail, ok, type Result } from "./result.ts";

/** Where relays are announced and what such a file says. Paths and shapes only; nobody reads a disk here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A relative path in an XDG variable is to be ignored. Source: XDG base directory specification 0.8. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && /^(\/|[a-zA-Z]:[\\/])/.test(path) ? path : undefined;

/**
 * Every folder relays are announced in, and looked for in, best first: a server started as a service, as root or in CI
 * may see another runtime folder than the terminal does.
 */
export function relayDirectories(env: Environment, home: string): string[] {
  const { BECKON_STATE_DIR, BECKON_RUNTIME_DIR, XDG_STATE_HOME, XDG_RUNTIME_DIR } = env;
  const state = BECKON_STATE_DIR || `${absolute(XDG_STATE_HOME) ?? `${home}/.local/state`}/opencode-beckon`;
  const login = absolute(XDG_RUNTIME_DIR);
  const runtime = BECKON_RUNTIME_DIR || (login === undefined ? state : `${login}/opencode-beckon`);
  return [...new Set([runtime, state].map((folder) => `${folder}/relays`))];
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

const maxDescriptorBytes = 65_536;

/** Whether such a thing is worth reading: a pipe or a device might never end, and a huge file fill the memory. */
export const mayBeDescriptor = (facts: { isFile(): boolean; size: number }): boolean =>
  facts.isFile() && facts.size <= maxDescriptorBytes;

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
