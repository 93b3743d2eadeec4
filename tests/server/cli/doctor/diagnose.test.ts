import { expect, test } from "vitest";
import { diagnose, doctorText } from "../../../../src/server/cli/doctor/doctor-command.ts";
import { createPaint } from "../../../../src/server/cli/paint.ts";
import { healthy } from "./healthy.ts";
import { troubles } from "./troubles.ts";

test("a healthy machine gives nothing but good news", () => {
  expect(troubles(healthy)).toEqual([]);
  expect(doctorText(diagnose(healthy), createPaint(false))).toMatchInlineSnapshot(`
    "✓ opencode 1.18.33 (/usr/bin/opencode)
    ✓ listed in ~/.config/opencode/opencode.json as /opt/opencode-beckon
    ✓ opencode with pid 42 runs beckon 0.1.0; terminals connected: 1
    ✓ terminal part listed in ~/.config/opencode/tui.json
    ✓ terminal 42 pts/3 reports its focus (focused)
    ✓ dunst 1.9.0 shows banners (buttons, markup)
    ✓ voice by espeak-ng
    ✓ ~/.config/opencode-beckon/config.json: no file, the defaults hold
    ✓ ~/.local/state/opencode-beckon is yours and writable
    ✓ no alert has been due yet (~/.local/state/opencode-beckon)
    ✓ nothing has gone wrong so far: no beckon.log, no terminal.log

    Nothing is broken, 11 fine
    "
  `);
});
