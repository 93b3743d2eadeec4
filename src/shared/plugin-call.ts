import * as z from "zod/mini";
import { abilitiesSchema, reportSchema } from "./protocol.ts";

/**
 * The other way a terminal reports on 2.x: calls to the server part through opencode itself, for a terminal that
 * reaches no relay (attached over the network). Objects stay open: the two parts may be of different versions.
 */
const open = { type: "object" } as const;
const answered = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
const fromViewer = { type: "object", properties: { viewer: { type: "string" } }, required: ["viewer"] } as const;

/** What the host's `rpc` wants: a plain object, JSON Schemas for every input and output. */
export const callContract = {
  id: "beckon",
  methods: {
    report: { input: fromViewer, output: answered },
    gone: { input: fromViewer, output: answered },
    raised: { input: fromViewer, output: answered },
    ask: { input: open, output: answered },
  },
  events: { wish: { schema: open } },
} as const;

const viewer = z.string().check(z.minLength(1), z.maxLength(64));

export const callInputs = {
  report: z.object({
    viewer,
    name: z.string().check(z.minLength(1), z.maxLength(100)),
    seq: z.int().check(z.gte(0)),
    report: reportSchema,
    abilities: z.optional(abilitiesSchema),
  }),
  gone: z.object({ viewer }),
  raised: z.object({ viewer, request: z.int(), ok: z.boolean() }),
  ask: z.discriminatedUnion("ask", [
    z.object({ ask: z.literal("status") }),
    z.object({ ask: z.literal("mute"), ms: z.int().check(z.gte(0), z.lte(7 * 86_400_000)) }),
    z.object({ ask: z.literal("test") }),
  ]),
};

export type CallReport = z.output<typeof callInputs.report>;
export type CallAsk = z.output<typeof callInputs.ask>;

/** What every call gives back. `relay`: the id of the relay in the process that answered. */
export const callAnswer = z.object({
  ok: z.boolean(),
  text: z.optional(z.string()),
  status: z.optional(z.unknown()),
  relay: z.optional(z.string()),
});

/** The event `wish`: a frame for one terminal, as the relay would send it. */
export const wishEvent = z.object({ viewer, frame: z.unknown() });
