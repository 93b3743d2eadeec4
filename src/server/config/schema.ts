import * as z from "zod/mini";
import { pushAddress, pushToken, pushTopic, withoutItsTopic } from "./push-target.ts";

/** The description goes into the JSON Schema and the configuration reference. */
const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), description });
  return schema;
};

/** The title says what is expected where a type's own words would not do. */
const titled = <S extends z.ZodMiniType>(schema: S, title: string): S => {
  z.globalRegistry.add(schema, { title });
  return schema;
};

const count = (least: number, most: number, fallback: number, text: string) =>
  described(z._default(z.int().check(z.gte(least), z.lte(most)), fallback), text);
const flag = (fallback: boolean, text: string) => described(z._default(z.boolean(), fallback), text);
const word = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

export const modes = ["both", "banner", "voice", "none"] as const;
const mode = (fallback: (typeof modes)[number], text: string) => described(z._default(z.enum(modes), fallback), text);

const settleMs = (fallback: number) =>
  count(0, 60_000, fallback, "How long an alert waits before it leaves, ms; 0 = at once.");
const whenFocused = described(
  z._default(z.enum(["suppress", "deliver"]), "suppress"),
  "What happens while somebody looks at the session.",
);

const notifications = z.strictObject({
  mode: mode("both", "Channels of the beckon_notify_user tool."),
  voice: described(z.optional(word(100)), "Voice name; absent = the platform's own (macOS: Zarvox)."),
  sound: described(z.optional(word(1_000)), "Sound name or file; absent = the platform's own (macOS: Submarine)."),
});

const pause = z.strictObject({
  mode: mode("banner", "Channels for a waiting question or permission."),
  settleMs: settleMs(350),
  whenFocused,
  actions: flag(false, "Offer «Allow once» and «Deny» on a permission's banner."),
});

const done = z.strictObject({
  mode: mode("banner", "Channels for a finished round of real work."),
  settleMs: settleMs(400),
  whenFocused,
  work: described(
    z._default(z.enum(["tools", "any"]), "tools"),
    "tools: only rounds that used a real tool; any: pure answers too.",
  ),
  delegated: described(
    z._default(z.enum(["silent", "alert"]), "silent"),
    "Rounds that only dispatched subagents: silent, or alert when a subagent did real work.",
  ),
  minSeconds: count(0, 86_400, 0, "Rounds shorter than this are silent, seconds; waiting for you does not count."),
});

const error = z.strictObject({
  mode: mode("banner", "Channels for a session that stopped with an error."),
  settleMs: settleMs(400),
  whenFocused,
  stuckAfterSeconds: count(
    0,
    86_400,
    60,
    "Tell once when the host retries for longer than this, seconds, or five times; 0 = never.",
  ),
});

const focus = z.strictObject({
  enabled: flag(true, "Whether the terminals' focus reports are used at all."),
  suppress: described(
    z._default(z.enum(["banner", "all", "none"]), "banner"),
    "What is dropped while somebody looks: the banner, every channel, or nothing.",
  ),
  idleSeconds: count(
    0,
    86_400,
    600,
    "A focused terminal without a sign of life for this long counts as left, seconds; 0 = never.",
  ),
  leaveSeconds: count(0, 3_600, 5, "A pause that was seen but not answered is told this long after you left, seconds."),
  unseenSeconds: count(
    0,
    86_400,
    0,
    "A suppressed done or error is told if no sign of life follows within this time, seconds; 0 = never.",
  ),
  maxTerminals: count(1, 10_000, 64, "Terminals that may be connected to one relay at a time."),
});

const clockTime = () => titled(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)), "a time such as 22:00");
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const quietSpan = z.strictObject({
  from: described(clockTime(), "When it begins, local time."),
  to: described(clockTime(), "When it ends; earlier than from = the next day."),
  days: described(
    z.optional(z.array(z.enum(weekdays)).check(z.minLength(1))),
    "The days it begins on; absent = every day.",
  ),
});

const pushCommon = {
  url: described(pushAddress(), "The server's address."),
  events: described(
    z._default(z.array(z.enum(["pause", "done", "error"])).check(z.minLength(1)), ["pause", "error"]),
    "The kinds that are sent.",
  ),
  afterSeconds: count(0, 86_400, 120, "Sent when nobody looked at the session for this long, seconds."),
  title: flag(false, "Send the session's title too."),
  detail: flag(false, "Send the short detail too."),
};
const push = z.discriminatedUnion("type", [
  z
    .strictObject({
      type: described(z.literal("ntfy"), "A topic of an ntfy server."),
      ...pushCommon,
      topic: described(pushTopic(), "The topic's name; whoever knows it can read along."),
      token: described(z.optional(pushToken()), "Access token, where the server asks for one."),
      actions: flag(
        false,
        "Offer «Allow once» and «Deny» on a permission's message; the answer comes back over the same server.",
      ),
    })
    .check(withoutItsTopic),
  z.strictObject({
    type: described(z.literal("webhook"), "Any program that takes JSON by POST."),
    ...pushCommon,
    secret: described(z.optional(word(1_000)), "Signs what is sent, where given."),
    actions: described(
      z._default(titled(z.literal(false), "false: no answer comes back from a webhook, only from ntfy"), false),
      "Always false: no answer comes back from a webhook.",
    ),
  }),
]);

const alerts = z.strictObject({
  pause: z.prefault(pause, {}),
  done: z.prefault(done, {}),
  error: z.prefault(error, {}),
  detail: described(
    z._default(z.enum(["short", "none"]), "short"),
    "short: the question's header, the action word, the error's name, the duration.",
  ),
  sound: described(
    z._default(z.union([z.boolean(), word(1_000)]), false),
    "A sound with each banner: true, or a sound's name or file.",
  ),
  focus: z.prefault(focus, {}),
  terminal: described(
    z._default(z.enum(["auto", "always", "never"]), "auto"),
    "Alerts raised by your terminal: when there is no desktop, always, or never.",
  ),
  quietHours: described(
    z._default(z.array(quietSpan).check(z.maxLength(50)), []),
    "Voice and sound are dropped then; banners stay.",
  ),
  exclude: described(
    z._default(z.array(word(200)).check(z.maxLength(200)), []),
    "Session titles never alerted, as globs over the whole title.",
  ),
  reminder: z.prefault(
    z.strictObject({
      afterSeconds: count(0, 86_400, 0, "Remind of an unanswered pause after this, seconds; 0 = never."),
      times: count(1, 20, 1, "How many reminders at most."),
    }),
    {},
  ),
  push: described(z._default(z.array(push).check(z.maxLength(20)), []), "Where alerts go that leave this machine."),
});

export const configSchema = z.strictObject({
  $schema: described(z.optional(z.string()), "Where the JSON Schema of this file lies; for editors."),
  locale: described(z._default(z.enum(["auto", "en", "de", "zh"]), "auto"), "Language of alerts; auto = LANG."),
  notifications: z.prefault(notifications, {}),
  alerts: z.prefault(alerts, {}),
});

/** Complete: what our code reads. */
export type Config = z.output<typeof configSchema>;
export type Mode = (typeof modes)[number];

export const defaultConfig: Config = configSchema.parse({});
