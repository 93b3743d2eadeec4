// The real opencode 1.18 that scripts/bench/strangers.mjs floods.
export { unixPath } from "../../../src/shared/rendezvous.ts";
export { findRelay } from "../../../tests/flow/relay/find-relay.ts";
export { packageRoot } from "../../../tests/rig/host/package-root.ts";
export { startRealHost } from "../../../tests/rig/host/real-host.ts";
export { waitFor } from "../../../tests/rig/host/wait-for.ts";
