// What scripts/bench/relay.mjs measures without a host around it.
export { attendance } from "../../../src/server/focus/presence.ts";
export { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
export { startRelay } from "../../../src/server/focus/relay.ts";
export { systemClock } from "../../../src/shared/clock.ts";
export { readDescriptor } from "../../../src/shared/rendezvous.ts";
export { startCompanion } from "../../../src/tui/companion.ts";
export { listenToRenderer } from "../../../src/tui/hosts/listen-to-renderer.ts";
export { recall } from "../../../src/tui/memory.ts";
export { openSocket } from "../../../src/tui/open-socket.ts";
