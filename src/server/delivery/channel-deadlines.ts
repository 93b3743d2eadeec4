import type { ChannelName } from "../core/decision.ts";

/** How long one outlet of a channel may take before it counts as hung, ms. */
export const channelDeadlinesMs = {
  banner: 5_000,
  voice: 30_000,
  sound: 10_000,
  /** Several terminals may be asked, 2 s each. */
  terminal: 8_000,
  push: 30_000,
} satisfies Record<ChannelName, number>;
