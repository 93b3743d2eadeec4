import { describe, expect, test } from "vitest";
import { isQuiet } from "../../../src/server/core/quiet-hours.ts";
import { configWith } from "../../fakes/config.ts";

type Span = { from: string; to: string; days?: string[] };
const quietAt = (spans: Span[], time: string, timeZone = "UTC"): boolean =>
  isQuiet(configWith({ alerts: { quietHours: spans } }).alerts.quietHours, Date.parse(time), timeZone);

// 5 January 2026 is a Monday.
const monday = "2026-01-05";
const tuesday = "2026-01-06";
const sunday = "2026-01-11";

test("without quiet hours it is never quiet", () => {
  expect(quietAt([], `${monday}T03:00:00Z`)).toBe(false);
});

describe("within a day", () => {
  const lunch = [{ from: "12:00", to: "13:30" }];
  test.each([
    ["11:59:59", false],
    ["12:00:00", true],
    ["13:29:59", true],
    ["13:30:00", false],
  ])("at %s: %s", (time, expected) => {
    expect(quietAt(lunch, `${monday}T${time}Z`)).toBe(expected);
  });
});

describe("over midnight", () => {
  const night = [{ from: "22:00", to: "07:00" }];
  test.each([
    [`${monday}T21:59:59Z`, false],
    [`${monday}T22:00:00Z`, true],
    [`${tuesday}T00:00:00Z`, true],
    [`${tuesday}T06:59:59Z`, true],
    [`${tuesday}T07:00:00Z`, false],
  ])("at %s: %s", (time, expected) => {
    expect(quietAt(night, time)).toBe(expected);
  });
});

describe("on some days", () => {
  test("a day names the evening on which the night begins", () => {
    const mondayNight = [{ from: "22:00", to: "07:00", days: ["mon"] }];
    expect(quietAt(mondayNight, `${monday}T06:00:00Z`)).toBe(false);
    expect(quietAt(mondayNight, `${monday}T23:00:00Z`)).toBe(true);
    expect(quietAt(mondayNight, `${tuesday}T06:00:00Z`)).toBe(true);
    expect(quietAt(mondayNight, `${tuesday}T23:00:00Z`)).toBe(false);
  });

  test("the night of Sunday reaches into Monday", () => {
    expect(quietAt([{ from: "22:00", to: "07:00", days: ["sun"] }], "2026-01-12T06:00:00Z")).toBe(true);
  });

  test("several days and several spans each count", () => {
    const spans = [
      { from: "12:00", to: "13:00", days: ["mon", "tue"] },
      { from: "09:00", to: "18:00", days: ["sat", "sun"] },
    ];
    expect(quietAt(spans, `${tuesday}T12:30:00Z`)).toBe(true);
    expect(quietAt(spans, `${sunday}T12:30:00Z`)).toBe(true);
    expect(quietAt(spans, "2026-01-07T12:30:00Z")).toBe(false);
  });

  test("equal ends are a whole day from there", () => {
    const whole = [{ from: "08:00", to: "08:00", days: ["mon"] }];
    expect(quietAt(whole, `${monday}T07:59:00Z`)).toBe(false);
    expect(quietAt(whole, `${monday}T08:00:00Z`)).toBe(true);
    expect(quietAt(whole, `${tuesday}T07:59:00Z`)).toBe(true);
    expect(quietAt(whole, `${tuesday}T08:00:00Z`)).toBe(false);
  });
});

describe("where the person lives", () => {
  const night = [{ from: "22:00", to: "07:00" }];
  test.each([
    ["Europe/Berlin", "2026-01-05T21:00:00Z", true],
    ["Europe/Berlin", "2026-01-05T20:59:59Z", false],
    ["America/New_York", "2026-01-06T03:00:00Z", true],
    ["America/New_York", "2026-01-06T02:59:59Z", false],
    ["Asia/Kolkata", "2026-01-05T16:30:00Z", true],
    ["Pacific/Kiritimati", "2026-01-05T08:00:00Z", true],
  ])("%s at %s: %s", (timeZone, time, expected) => {
    expect(quietAt(night, time, timeZone)).toBe(expected);
  });

  test("the day is the local one", () => {
    const mondays = [{ from: "00:00", to: "23:00", days: ["mon"] }];
    expect(quietAt(mondays, "2026-01-04T23:30:00Z", "Europe/Berlin")).toBe(true);
    expect(quietAt(mondays, "2026-01-04T23:30:00Z", "UTC")).toBe(false);
  });
});

describe("when the clocks change (Berlin)", () => {
  const early = [{ from: "02:00", to: "03:00" }];
  const berlin = (time: string, spans: Span[]) => quietAt(spans, time, "Europe/Berlin");

  test("an hour that does not happen is not quiet", () => {
    // 29 March 2026: 01:59:59 is followed by 03:00:00.
    expect(berlin("2026-03-29T00:59:59Z", early)).toBe(false);
    expect(berlin("2026-03-29T01:00:00Z", early)).toBe(false);
  });

  test("an hour that happens twice is quiet twice", () => {
    // 25 October 2026: 02:00 to 03:00 comes once in summer time and once more in winter time.
    expect(berlin("2026-10-25T00:30:00Z", early)).toBe(true);
    expect(berlin("2026-10-25T01:30:00Z", early)).toBe(true);
    expect(berlin("2026-10-25T02:00:00Z", early)).toBe(false);
  });

  test("a night over the change ends when the wall clock says so", () => {
    const night = [{ from: "22:00", to: "07:00" }];
    expect(berlin("2026-03-29T04:59:59Z", night)).toBe(true);
    expect(berlin("2026-03-29T05:00:00Z", night)).toBe(false);
  });
});

test("the machine's own zone is used where none is named", () => {
  const always = configWith({ alerts: { quietHours: [{ from: "00:00", to: "00:00" }] } });
  expect(isQuiet(always.alerts.quietHours, Date.now())).toBe(true);
});
