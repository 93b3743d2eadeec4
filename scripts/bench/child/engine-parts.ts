// What scripts/bench measures without a host around it.
export { defaultConfig } from "../../../src/server/config/schema.ts";
export { wordingFor } from "../../../src/server/core/wording/locale.ts";
export { createChannel } from "../../../src/server/delivery/create-channel.ts";
export { createDbusBanner } from "../../../src/server/delivery/dbus-banner.ts";
export { openBus } from "../../../src/server/delivery/open-bus.ts";
export { lines } from "../../../src/server/hosts/lines.ts";
export { createDecider } from "../../../src/server/runtime/decider.ts";
export { systemClock } from "../../../src/shared/clock.ts";
