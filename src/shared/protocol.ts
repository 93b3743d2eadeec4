import * as z from "zod/mini";
import { fail, ok, type Result } from "./result.ts";
import { sessionIDPattern } from "./session-id.ts";

/** Protocols this build speaks, best first. One is enough until an old peer would misread a frame. */
export const protocols: readonly number[] = [1];

/** Bytes of one frame to the relay or to a terminal. Observers also get longer ones: trace lines, the status. */
export const maxFrameBytes = 4_096;
export const maxObserverFrameBytes = 1_048_576;

/** The only path the relay answers; anything else in the address, a query included, is refused. */
export const relayPath = "/focus";

const word = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const count = z.int().check(z.gte(0));
const sessionID = z.string().check(z.regex(sessionIDPattern));

const view = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("session"), sessionID, rootID: z.optional(sessionID) }),
  z.strictObject({ type: z.literal("home") }),
  z.strictObject({ type: z.literal("other") }),
]);

const report = z.strictObject({
  focus: z.enum(["focused", "blurred", "unknown"]),
  view,
  /** Ms since the last sign of life. */
  idleMs: z.number().check(z.gte(0)),
});

const abilities = z.strictObject({
  notify: z.array(word(16)).check(z.maxLength(8)),
  ssh: z.boolean(),
});

/**
 * The first frame. Unknown keys are dropped, here only: it is read before a protocol is agreed on,
 * so a newer peer must be able to say more.
 */
const hello = z.discriminatedUnion("role", [
  z.object({
    type: z.literal("hello"),
    role: z.literal("terminal"),
    protocols: z.array(z.int()).check(z.minLength(1), z.maxLength(32)),
    token: z.string().check(z.maxLength(128)),
    /** Stays the same over reconnects and reloads of one terminal. */
    id: word(64),
    /** What a person calls it: pid and tty. */
    name: word(100),
    seq: count,
    report,
    abilities: z.optional(abilities),
  }),
  z.object({
    type: z.literal("hello"),
    role: z.literal("observer"),
    protocols: z.array(z.int()).check(z.minLength(1), z.maxLength(32)),
    token: z.string().check(z.maxLength(128)),
  }),
]);

const fromTerminal = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("report"), seq: count, report, abilities: z.optional(abilities) }),
  z.strictObject({ type: z.literal("raised"), request: count, ok: z.boolean() }),
  z.strictObject({ type: z.literal("bye") }),
]);

const fromObserver = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("status") }),
  z.strictObject({ type: z.literal("subscribe") }),
  z.strictObject({ type: z.literal("record"), on: z.boolean() }),
  z.strictObject({ type: z.literal("mute"), ms: z.int().check(z.gte(0), z.lte(7 * 86_400_000)) }),
  /** `push`: only to the push targets, as an alert of that kind; the answer's text is JSON for the command. */
  z.strictObject({ type: z.literal("test"), push: z.optional(z.enum(["pause", "done", "error"])) }),
  z.strictObject({ type: z.literal("bye") }),
]);

const raise = z.strictObject({
  key: word(128),
  title: z.string().check(z.maxLength(200)),
  body: z.string().check(z.maxLength(600)),
  urgency: z.enum(["low", "normal", "critical"]),
});

const welcome = z.strictObject({
  type: z.literal("welcome"),
  protocol: z.int(),
  relay: word(64),
  heartbeatMs: z.int().check(z.gte(100)),
});

const toTerminal = z.discriminatedUnion("type", [
  welcome,
  z.strictObject({ type: z.literal("raise"), request: count, alert: raise }),
  z.strictObject({ type: z.literal("takeBack"), key: word(128) }),
  z.strictObject({ type: z.literal("navigate"), sessionID }),
  z.strictObject({ type: z.literal("toast"), message: word(600), title: z.optional(word(200)) }),
]);

const toObserver = z.discriminatedUnion("type", [
  welcome,
  z.strictObject({ type: z.literal("status"), status: z.unknown() }),
  z.strictObject({ type: z.literal("decision"), decision: z.unknown() }),
  z.strictObject({ type: z.literal("trace"), line: z.string() }),
  /** What became of `subscribe`, `record`, `mute`, `test`. */
  z.strictObject({ type: z.literal("answer"), to: word(32), ok: z.boolean(), text: z.string() }),
]);

export type Hello = z.output<typeof hello>;
export type TerminalHello = Extract<Hello, { role: "terminal" }>;
export type FromTerminal = z.output<typeof fromTerminal>;
export type FromObserver = z.output<typeof fromObserver>;
export type ToTerminal = z.output<typeof toTerminal>;
export type ToObserver = z.output<typeof toObserver>;
export type RaiseRequest = z.output<typeof raise>;
/** How a terminal can raise an alert itself. Told in every report: it may learn late what it can. */
export type Abilities = z.output<typeof abilities>;

/** `notJson` and `unknownShape` end a connection; neither changes what is known about a terminal. */
export type FrameFailure = "notJson" | "unknownShape";

const reader =
  <S extends z.ZodMiniType>(schema: S) =>
  (text: string): Result<z.output<S>, FrameFailure> => {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return fail("notJson");
    }
    const read = schema.safeParse(json);
    return read.success ? ok(read.data) : fail("unknownShape");
  };

export const readHello = reader(hello);
export const readFromTerminal = reader(fromTerminal);
export const readFromObserver = reader(fromObserver);
export const readToTerminal = reader(toTerminal);
export const readToObserver = reader(toObserver);

/** The same shape over another way in: the 2.x plugin call. */
export const reportSchema = report;
export const abilitiesSchema = abilities;

const shorten = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most - 1)
        .replace(/[\ud800-\udbff]$/, "")
        .concat("…");

/** An alert as it fits into a frame: 80 graphemes can be long, and a frame that does not fit is no alert at all. */
export const fitAlert = ({ key, title, body, urgency }: RaiseRequest): RaiseRequest => ({
  key: key.slice(0, 128),
  title: shorten(title, 200),
  body: shorten(body, 600),
  urgency,
});

export const encode = (frame: Hello | FromTerminal | FromObserver | ToTerminal | ToObserver): string =>
  JSON.stringify(frame);

/** The highest protocol both sides speak. */
export const commonProtocol = (theirs: readonly number[]): number | undefined =>
  theirs.filter((protocol) => protocols.includes(protocol)).sort((a, b) => b - a)[0];
