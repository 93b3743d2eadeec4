import { startInProcess } from "../start.ts";
import { attempt } from "./attempt.ts";
import { createV2Host } from "./v2.ts";
import type { V2Context } from "./v2-context.ts";

export const startV2 = (context: V2Context): (() => void) =>
  startInProcess(
    createV2Host(context),
    attempt(() => context.renderer),
  );
