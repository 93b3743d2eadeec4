// The terminal part in a process of its own, with a terminal that obeys JSON lines on stdin. Run under each runtime.
import { createInterface } from "node:readline";
import { systemClock } from "../../../src/shared/clock.ts";
import { startCompanion } from "../../../src/tui/companion.ts";
import { recall } from "../../../src/tui/memory.ts";
import { openSocket } from "../../../src/tui/open-socket.ts";
import { createFakeTerminal } from "../../fakes/terminal-host.ts";

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
process.on("uncaughtException", (error) => say({ crashed: String(error?.stack ?? error) }));
process.on("unhandledRejection", (error) => say({ crashed: `rejection: ${String(error)}` }));

const { host, shown, happen, did } = createFakeTerminal();
const folders: string[] = JSON.parse(process.argv[2] ?? "[]");
const end = startCompanion({
  clock: systemClock,
  host,
  memory: recall(globalThis, globalThis, () => "companion", { now: systemClock.now(), wall: systemClock.wall() }),
  name: "the companion",
  folders,
  tunnelled: [],
  openSocket,
  dice: Math.random,
  alerts: {
    abilities: () => ({ notify: ["osc777"], ssh: false }),
    prepare: async () => {},
    raise: ({ title }) => did.push(["raise", title]) > 0,
    takeBack: (key) => did.push(["takeBack", key]) > 0,
  },
  bringForward: async () => true,
  writeLast: () => {},
});
say({ up: true });

createInterface({ input: process.stdin }).on("line", (text) => {
  const order = JSON.parse(text);
  if (order.do === "end") end();
  else if (order.do === "view") {
    shown.view = order.view;
    happen({ type: "key" });
  } else if (order.do === "mark") say({ mark: order.text, did });
  else happen({ type: order.do });
});
