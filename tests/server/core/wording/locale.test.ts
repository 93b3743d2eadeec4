import { describe, expect, test } from "vitest";
import { chooseLocale, wordingFor } from "../../../../src/server/core/wording/locale.ts";
import { spokenLine } from "../../../../src/server/core/wording/wording.ts";

describe("the language of alerts", () => {
  test.each([
    ["en", { LANG: "de_DE.UTF-8" }, "en"],
    ["zh", {}, "zh"],
    ["auto", {}, "en"],
    ["auto", { LANG: "de_AT.UTF-8" }, "de"],
    ["auto", { LANG: "zh_TW" }, "zh"],
    ["auto", { LANG: "zh-Hans" }, "zh"],
    ["auto", { LANG: "fr_FR.UTF-8" }, "en"],
    ["auto", { LANG: "C.UTF-8" }, "en"],
    ["auto", { LANG: "constructor" }, "en"],
    ["auto", { LANG: "de_DE", LC_MESSAGES: "zh_CN" }, "zh"],
    ["auto", { LANG: "de_DE", LC_MESSAGES: "zh_CN", LC_ALL: "en_US.UTF-8" }, "en"],
    ["auto", { LANG: "de_DE.UTF-8", LC_ALL: "" }, "de"],
  ] as const)("setting %s with %o is %s", (setting, environment, expected) => {
    expect(chooseLocale(setting, environment)).toBe(expected);
  });
});

describe.each(["en", "de", "zh"] as const)("the sentences in %s", (locale) => {
  const wording = wordingFor(locale);

  test("carry their detail verbatim", () => {
    expect(wording.question("Database choice")).toContain("Database choice");
    expect(wording.permission("bash")).toContain("bash");
    expect(wording.error("provider.internal")).toContain("provider.internal");
    expect(wording.questions(3)).toContain("3");
    expect(wording.requests(12)).toContain("12");
    expect(wording.stuck(5)).toContain("5");
    expect(wording.reminder(wording.question("Database"))).toContain("Database");
  });

  test("end without a dangling sign when there is no detail", () => {
    for (const sentence of [wording.question(), wording.permission(), wording.done(), wording.error(), wording.stuck()])
      expect(sentence).toMatch(/^[^·]+$/u);
    expect(wording.question("")).toBe(wording.question());
  });

  test("are all different, so that no two alerts sound alike", () => {
    const sentences = [
      wording.question(),
      wording.questions(2),
      wording.permission(),
      wording.requests(2),
      wording.done(),
      wording.error(),
      wording.stuck(),
      wording.inactive(),
      wording.reminder(""),
    ];
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test("never begin with a digit and a semicolon or a dash, which terminals and programs misread", () => {
    for (const sentence of [wording.questions(4), wording.requests(9), wording.done(1), wording.inactive()])
      expect(sentence).not.toMatch(/^(-|\d+;)/);
  });
});

describe("English", () => {
  const english = wordingFor("en");
  test.each([
    [0, "Work finished · 1 s"],
    [12_400, "Work finished · 12 s"],
    [59_600, "Work finished · 1 min"],
    [192_000, "Work finished · 3 min 12 s"],
    [3_600_000, "Work finished · 1 h"],
    [3_900_000, "Work finished · 1 h 5 min"],
  ])("a round of %i ms is «%s»", (ms, expected) => {
    expect(english.done(ms)).toBe(expected);
  });

  test("says that the host is still retrying, and when nobody was active", () => {
    expect(english.stuck(5)).toBe("No answer yet, still retrying · attempt 5");
    expect(english.inactive()).toBe("The session stopped: inactivity");
  });

  test("a voice names the session first and reads no middle dot", () => {
    expect(spokenLine("Fix login", english.done(192_000))).toBe("Fix login: Work finished, 3 min 12 s");
  });
});

test("German and Chinese word the duration in their own units", () => {
  expect(wordingFor("de").done(192_000)).toBe("Arbeit fertig · 3 Min. 12 Sek.");
  expect(wordingFor("zh").done(192_000)).toBe("工作已完成 · 3 分 12 秒");
});
