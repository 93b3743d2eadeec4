// A program of its own, run by each runtime: goes to a bus that is up to no good, says what came of it and what it cost.
import { openBus } from "../../../../src/server/delivery/open-bus.ts";

const { GOOD = "", BAD = "" } = process.env;
setInterval(() => {}, 1_000);
const never = new AbortController().signal;
await openBus([GOOD], never); // what loading the library costs is no cost of the bad one
const before = process.memoryUsage().rss;
let most = before;
setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 20);
const bus = await openBus([BAD], never);
if (bus.ok) void bus.value.listen({ sender: "a.b", path: "/a", interface: "a.b" }, () => {});
if (bus.ok) await new Promise<void>((resolve) => bus.value.onClose(resolve));
process.stdout.write(`${JSON.stringify({ came: bus.ok ? "in" : bus.error, grownMB: (most - before) >> 20 })}\n`);
