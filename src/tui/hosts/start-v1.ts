import { startInProcess } from "../start.ts";
import { attempt } from "./attempt.ts";
import { createV1Host } from "./v1.ts";
import type { V1Api } from "./v1-api.ts";

export function startV1(api: V1Api): void {
  const end = startInProcess(
    createV1Host(api),
    attempt(() => api.renderer),
  );
  api.lifecycle?.onDispose?.(end);
}
