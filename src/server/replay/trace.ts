import * as z from "zod/mini";

/** The input of `beckon replay`, format 1. Source: docs/trace.md. Unknown kinds and keys are errors. */
const t = z.int().check(z.gte(0));
const id = z.string().check(z.minLength(1));

export const metaLine = z.strictObject({
  t,
  kind: z.literal("meta"),
  format: z.literal(1),
  line: z.enum(["v1", "v2"]),
  directory: z.string(),
  config: z.optional(z.unknown()),
  platform: z._default(z.enum(["linux", "darwin", "win32", "wsl"]), "linux"),
  startedAt: z._default(
    z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), "expected a time as ISO 8601")),
    "2026-01-05T10:00:00Z",
  ),
  timeZone: z._default(z.string().check(z.refine(isTimeZone, "expected a time zone such as Europe/Berlin")), "UTC"),
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const view = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("session"), sessionID: id }),
  z.strictObject({ type: z.literal("home") }),
  z.strictObject({ type: z.literal("other") }),
]);
const channelName = z.enum(["banner", "voice", "sound", "terminal", "push"]);
const operation = z.enum(["attach", "detach", "drop", "hang", "resume", "focus", "blur", "view", "input"]);

export const laterLine = z.discriminatedUnion("kind", [
  z.strictObject({ t, kind: z.literal("event"), event: z.unknown() }),
  z.strictObject({ t, kind: z.literal("hook"), hook: z.string(), input: z.unknown(), output: z.optional(z.unknown()) }),
  z.strictObject({
    t,
    kind: z.literal("session"),
    session: z.optional(z.looseObject({ id })),
    sessionID: z.optional(id),
    missing: z.optional(z.literal(true)),
  }),
  z.strictObject({
    t,
    kind: z.literal("messages"),
    sessionID: id,
    messages: z.optional(z.array(z.unknown())),
    error: z.optional(z.string()),
    delayMs: z.optional(t),
  }),
  z.strictObject({ t, kind: z.literal("pending"), sessionID: id, permissions: z.array(id) }),
  z.strictObject({
    t,
    kind: z.literal("tui"),
    tui: id,
    op: operation,
    view: z.optional(view),
    terminal: z.optional(z.strictObject({ notify: z.optional(z.array(z.string())), ssh: z.optional(z.boolean()) })),
  }),
  z.strictObject({ t, kind: z.literal("config"), text: z.optional(z.string()), remove: z.optional(z.literal(true)) }),
  z.strictObject({
    t,
    kind: z.literal("channel"),
    channel: channelName,
    result: z.enum(["ok", "missing", "fail", "hang"]),
  }),
  z.strictObject({ t, kind: z.literal("sleep"), ms: t }),
  z.strictObject({ t, kind: z.literal("call"), tool: z.string(), args: z.unknown(), sessionID: id }),
  z.strictObject({ t, kind: z.literal("mute"), ms: z.optional(t), off: z.optional(z.literal(true)) }),
  z.strictObject({ t, kind: z.literal("end") }),
]);

export type Meta = z.output<typeof metaLine>;
export type TraceLine = z.output<typeof laterLine>;
export type Trace = { meta: Meta; lines: readonly TraceLine[] };
