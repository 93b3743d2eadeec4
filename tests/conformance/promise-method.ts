import * as z from "zod/mini";

/**
 * §3.1: a method takes one input object, validates it after a JSON round trip and ignores its second argument.
 * Unknown shapes reject; keys nobody knows count as such here, so that a typing slip cannot hide.
 */
export function method<T extends z.ZodMiniType, R>(shape: T, run: (input: z.infer<T>) => R | Promise<R>) {
  return async (...given: unknown[]): Promise<Awaited<R>> => {
    const json = JSON.stringify(given[0]);
    const read = shape.safeParse(json === undefined ? undefined : JSON.parse(json));
    if (!read.success) throw new Error(`Invalid input: ${z.prettifyError(read.error)}`);
    return await run(read.data);
  };
}

const text = z.optional(z.string());
const record = z.optional(z.record(z.string(), z.unknown()));
export const sessionInput = z.strictObject({ sessionID: z.string() });

export const inputs = {
  create: z.optional(
    z.strictObject({
      title: text,
      agent: text,
      location: z.optional(z.strictObject({ directory: z.string(), workspaceID: text })),
      metadata: record,
    }),
  ),
  prompt: z.strictObject({
    sessionID: z.string(),
    text: z.string(),
    delivery: z.optional(z.enum(["steer", "queue"])),
    resume: z.optional(z.boolean()),
  }),
  synthetic: z.strictObject({
    sessionID: z.string(),
    text: z.string(),
    description: text,
    metadata: record,
    resume: z.optional(z.boolean()),
  }),
  interrupt: z.strictObject({ sessionID: z.string(), resume: z.optional(z.boolean()) }),
  permission: z.strictObject({ sessionID: z.string(), requestID: z.string() }),
  reply: z.strictObject({
    sessionID: z.string(),
    requestID: z.string(),
    decision: z.enum(["once", "always", "reject"]),
    message: text,
  }),
};
