import { type Config, configSchema } from "../../src/server/config/schema.ts";

/** The complete configuration of a file with this content. */
export const configWith = (file: object = {}): Config => configSchema.parse(file);
