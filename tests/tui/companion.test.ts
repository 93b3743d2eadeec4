import { expect, test } from "vitest";
import { readHello } from "../../src/shared/protocol.ts";
import { startCompanion } from "../../src/tui/companion.ts";
import { firstState } from "../../src/tui/focus-state.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";
import { settled } from "../fakes/settled.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

/** One terminal whose plugin is loaded as often as the test likes, and one relay that hears each hello. */
function setUp({ hostReportsFocus }: { hostReportsFocus: boolean }) {
  const clock = createHandCrankedClock();
  const { host, happen } = createFakeTerminal();
  const memory = { id: "a", seq: 0, state: firstState({ now: clock.now(), wall: clock.wall() }) };
  const said: string[] = [];
  const load = () =>
    startCompanion({
      clock,
      memory,
      host: { ...host, screen: { ...host.screen, hostReportsFocus: () => hostReportsFocus } },
      name: "pid 1",
      folders: [],
      tunnelled: [{ id: "tunnel", url: "ws://127.0.0.1:1/focus", token: "t" }],
      dice: () => 0,
      alerts: {
        abilities: () => ({ notify: ["bell"], ssh: false }),
        prepare: async () => {},
        raise: () => true,
        takeBack: () => true,
      },
      bringForward: async () => true,
      writeLast: () => {},
      async openSocket(_url, events) {
        setImmediate(events.onOpen);
        return { send: (text) => said.push(text), close: () => {}, cut: () => {} };
      },
    });
  const lastHello = () => {
    const read = readHello(said.filter((text) => text.includes('"hello"')).at(-1) ?? "");
    return read.ok && read.value.role === "terminal" ? read.value.report.focus : undefined;
  };
  return { clock, happen, load, lastHello };
}
const settle = async () => {
  await settled();
  await new Promise(setImmediate);
};

test.each([
  { hostReportsFocus: true, focus: "focused", why: "the host's renderer went on hearing the terminal" },
  { hostReportsFocus: false, focus: "unknown", why: "nobody asked the terminal for reports meanwhile" },
])("a terminal part that is loaded anew says $focus: $why", async ({ hostReportsFocus, focus }) => {
  const { clock, happen, load, lastHello } = setUp({ hostReportsFocus });
  const end = load();
  clock.advance(2_000);
  happen({ type: "focus" });
  end();
  const endAgain = load();
  await settle();
  expect(lastHello()).toBe(focus);
  endAgain();
});
