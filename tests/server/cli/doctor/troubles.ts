import { describe, expect, test } from "vitest";
import { diagnose } from "../../../../src/server/cli/doctor/doctor-command.ts";
import type { Facts } from "../../../../src/server/cli/doctor/facts.ts";
import type { Level } from "../../../../src/server/cli/doctor/finding.ts";
import { healthy } from "./healthy.ts";

export const troubles = (facts: Facts) => diagnose(facts).filter(({ level }) => level !== "fine");

/** What is wrong, how bad that is, what it is called, what to paste, and how many other troubles it brings with it. */
type Trouble = [
  name: string,
  change: Partial<Facts>,
  Level,
  symptom: string,
  paste: string | undefined,
  besides?: number,
];

/** The one place that is known to have no way out. */
const hopeless = "no banners on this system";

export function namesTroubles(cases: Trouble[]): void {
  describe("the doctor names", () => {
    test.each(cases)("%s", (_name, change, level, symptom, paste) => {
      const found = troubles({ ...healthy, ...change }).find((finding) => finding.symptom === symptom);
      expect(troubles({ ...healthy, ...change }).map((finding) => finding.symptom)).toContain(symptom);
      expect(found?.level).toBe(level);
      expect(found?.paste).toBe(paste);
    });

    test.each(cases)(
      "nothing else when the only trouble is %s",
      (_name, change, _level, symptom, _paste, besides = 0) => {
        const others = troubles({ ...healthy, ...change }).filter((finding) => finding.symptom !== symptom);
        expect(others.map((finding) => finding.symptom)).toHaveLength(besides);
      },
    );

    test.each(cases)("a cause, and a way out of what is broken: %s", (_name, change) => {
      for (const { symptom, cause, fix } of troubles({ ...healthy, ...change })) {
        expect(cause, symptom).toBeTruthy();
        if (symptom !== hopeless) expect(fix, symptom).toBeTruthy();
      }
    });
  });
}
