import { describe, expect, test } from "vitest";
import { type AlertContent, type OpenRequest, sentence } from "../../../src/server/core/alert-words.ts";
import { english } from "../../../src/server/core/wording/en.ts";

const say = (alert: AlertContent, detail: "short" | "none" = "short") => sentence(alert, english, detail);
const permission = (label?: string): OpenRequest => ({
  requestID: "p",
  about: "permission",
  count: 1,
  ...(label === undefined ? {} : { label }),
});
const question = (label?: string, count = 1): OpenRequest => ({ ...permission(label), about: "question", count });
const pause = (...requests: OpenRequest[]): AlertContent => ({ kind: "pause", requests });

describe("an ask", () => {
  test.each<[AlertContent, string, string]>([
    [pause(permission("bash")), "A permission waits for you · bash", "A permission waits for you"],
    [pause(permission()), "A permission waits for you", "A permission waits for you"],
    [pause(question("Database")), "A question waits for you · Database", "A question waits for you"],
    [pause(question("Database", 3)), "3 questions wait for you", "3 questions wait for you"],
    [pause(permission("bash"), question("Database")), "2 requests wait for you", "2 requests wait for you"],
  ])("%j", (alert, short, none) => {
    expect(say(alert)).toBe(short);
    expect(say(alert, "none")).toBe(none);
  });

  test("shows an action's first word and nothing that hangs on it", () => {
    expect(say(pause(permission("bash curl -H 'Authorization: Bearer sk-live-abc123'")))).toBe(
      "A permission waits for you · bash",
    );
    expect(say(pause(permission("bash\nrm -rf /")))).toBe("A permission waits for you · bash");
  });

  test("shows a question's header on one line, without marks, and not endless", () => {
    expect(say(pause(question("**Which**\ndatabase?")))).toBe("A question waits for you · Which database?");
    expect(say(pause(question("x".repeat(10_000)))).length).toBeLessThan(100);
    expect(say(pause(question(`${"🎈".repeat(80)}`))).isWellFormed()).toBe(true);
  });

  test("without a header worth showing shows none", () => {
    for (const label of ["", "  ", "\u0007", "\u202e"])
      expect(say(pause(question(label)))).toBe("A question waits for you");
  });
});

describe("an end", () => {
  test("tells how long it worked, unless that is unwanted", () => {
    expect(say({ kind: "done", workedMs: 192_000 })).toBe("Work finished · 3 min 12 s");
    expect(say({ kind: "done", workedMs: 192_000 }, "none")).toBe("Work finished");
  });

  test("tells an error's name, never more", () => {
    expect(say({ kind: "error", name: "APIError" })).toBe("Stopped with an error · APIError");
    expect(say({ kind: "error", name: "ProviderError 529 https://internal.example/key=abc" })).toBe(
      "Stopped with an error · ProviderError",
    );
    expect(say({ kind: "error", name: "APIError" }, "none")).toBe("Stopped with an error");
  });

  test("tells a host that gave up waiting in its own words", () => {
    expect(say({ kind: "error", name: "SessionInactivityError" })).toBe("The session stopped: inactivity");
  });

  test("tells how often it was tried", () => {
    expect(say({ kind: "error", attempt: 5 })).toBe("No answer yet, still retrying · attempt 5");
    expect(say({ kind: "error", attempt: 5 }, "none")).toBe("No answer yet, still retrying");
  });
});
