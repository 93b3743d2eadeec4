import * as z from "zod/mini";
import { parseJSON } from "./nesting.ts";
import { relayPath } from "./protocol.ts";
import { fail, ok, type Result } from "./result.ts";

/** Where relays are announced and what such a file says. Paths and shapes only; nobody reads a disk here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A relative path in an XDG variable is to be ignored. Source: XDG base directory specification 0.8. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && /^(\/|[a-zA-Z]:[\\/])/.test(path) ? path : undefined;

/** Journal, logs, mute. */
export const stateDirectory = ({ BECKON_STATE_DIR, XDG_STATE_HOME }: Environment, home: string): string =>
  BECKON_STATE_DIR || `${absolute(XDG_STATE_HOME) ?? `${home}/.local/state`}/opencode-beckon`;

/** Where the terminal part says what went wrong: it has no other place to. */
export const terminalLogName = "terminal.log";

/**
 * Every folder relays are announced in, and looked for in, best first: a server started as a service, as root or in CI
 * may see another runtime folder than the terminal does.
 */
export function relayDirectories(env: Environment, home: string): string[] {
  const { BECKON_RUNTIME_DIR, XDG_RUNTIME_DIR } = env;
  const state = stateDirectory(env, home);
  const login = absolute(XDG_RUNTIME_DIR);
  const runtime = BECKON_RUNTIME_DIR || (login === undefined ? state : `${login}/opencode-beckon`);
  return [...new Set([runtime, state].map((folder) => `${folder}/relays`))];
}

const loopbackAddress = /^ws:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}\/[a-z]*$/;

/**
 * Of a unix socket: Bun fails above 107 bytes, and `ws+unix:` cannot name a path with other signs than these, on Node and on
 * Bun. A part that is `.` or `..` would be taken out of the address on the way.
 */
const socketPath = /^(?!.*\/\.{1,2}(\/|$))\/[A-Za-z0-9._/-]{1,99}$/;
export const mayBeSocketPath = (path: string): boolean => socketPath.test(path);

/** Where a socket lies whose relay folders have paths that cannot be named. Ours alone, or not used. */
export const spareSocketFolder = (uid: number): string => `/tmp/beckon-${uid}`;

/** The one form that `ws` on Node and the websockets of Bun take. */
export const unixURL = (path: string): string => `ws+unix://${path}:${relayPath}`;

/** The socket's path when the address names one. */
export function unixPath(url: string): string | undefined {
  const path = /^ws\+unix:\/\/([^:]+):\/[a-z]*$/.exec(url)?.[1];
  return path !== undefined && mayBeSocketPath(path) ? path : undefined;
}

/**
 * Why no token should be sent there: whoever listens at somebody else's socket would get it. `facts` are those of the path
 * itself, as `lstat` says; undefined: nothing is there.
 */
export function socketProblem(
  facts: { isSocket(): boolean; uid: number } | undefined,
  uid: number | undefined,
): string | undefined {
  if (facts === undefined) return "its socket is gone; a relay that lives listens anew within 30 s";
  if (!facts.isSocket()) return "what its address names is no socket";
  return uid === undefined || facts.uid === uid ? undefined : "its socket belongs to another user";
}

const isAddress = (url: string): boolean => loopbackAddress.test(url) || unixPath(url) !== undefined;

const descriptor = z.object({
  url: z.string().check(z.maxLength(160), z.refine(isAddress)),
  token: z.string().check(z.minLength(1), z.maxLength(128)),
  pid: z.int().check(z.gte(1)),
  /** Epoch ms of the relay's start: a process that began later only has the same pid. */
  startedAt: z.number(),
  line: z.enum(["v1", "v2"]),
  directories: z.array(z.string()),
  protocol: z.int(),
});
export type Descriptor = z.output<typeof descriptor>;

export const maxDescriptorBytes = 65_536;

/** A newer relay may say more: unknown keys are dropped. */
export function readDescriptor(text: string): Result<Descriptor, "notADescriptor"> {
  const read = descriptor.safeParse(parseJSON(text));
  return read.success ? ok(read.data) : fail("notADescriptor");
}

export const descriptorName = (relayID: string): string => `${relayID}.json`;

/** The relay's id from its file's name; undefined for drafts, dot files and whatever else lies there. */
export const relayIDFromName = (name: string): string | undefined => /^([a-z0-9]{8,64})\.json$/.exec(name)?.[1];

/**
 * `BECKON_RELAY=ws://127.0.0.1:7777/focus#token` or `ws+unix:///path/to.sock:/focus#token`: a relay reached through a tunnel.
 * The token is taken off: it belongs into no address, and a websocket's takes none.
 */
export function readRelayAddress(text: string | undefined): { url: string; token: string } | undefined {
  const [, url = "", token = ""] = /^([^#]*)#(.+)$/.exec(text ?? "") ?? [];
  if (unixPath(url) !== undefined) return { url, token };
  return /^wss?:/.test(url) && URL.canParse(url) ? { url: new URL(url).href, token } : undefined;
}
