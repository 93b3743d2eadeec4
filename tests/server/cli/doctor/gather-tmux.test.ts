import { expect, test } from "vitest";
import { gatherTmux } from "../../../../src/server/cli/doctor/gather-tmux.ts";
import type { RunProgram } from "../../../../src/server/delivery/run-program.ts";

/** A tmux that answers these; an option it does not know is an error. */
const tmux =
  (options: Record<string, string>): RunProgram =>
  async ({ args }) => {
    const value = args[0] === "-V" ? "tmux 3.4\n" : options[args.at(-1) ?? ""];
    return value === undefined ? { ok: false, error: { kind: "failed", detail: "exit 1" } } : { ok: true, value };
  };

test.each([
  [{ "focus-events": "on\n", "allow-passthrough": "all\n" }, true, true],
  [{ "focus-events": "off\n", "allow-passthrough": "on\n" }, false, true],
  [{ "focus-events": "off\n", "allow-passthrough": "off\n" }, false, false],
  [{ "focus-events": "on\n" }, true, undefined],
  [{ "focus-events": "on\n", "allow-passthrough": "" }, true, undefined],
])("a tmux with the options %j", async (options, focusEvents, passthrough) => {
  expect(await gatherTmux({ TMUX: "/tmp/t,1,0" }, tmux(options))).toEqual({ version: "3.4", focusEvents, passthrough });
});

test("outside of tmux nobody is asked", async () => {
  expect(await gatherTmux({}, () => expect.fail("asked"))).toBeUndefined();
});
