import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPrivacyFilter } from "../../../src/server/privacy/remove-private-text.ts";
import { replay } from "../../../src/server/replay/replay.ts";
import { isRecord } from "../../../src/shared/is-record.ts";
import { repository } from "../cli/command-bench.ts";

const traces = ["v1", "v2"].flatMap((line) => {
  const folder = join(repository, "tests/traces", line);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ name: `${line}/${name}`, text: readFileSync(join(folder, name), "utf8") }));
});

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
    .filter(isRecord);

const filtered = (text: string): string => {
  const filter = createPrivacyFilter();
  return linesOf(text)
    .map((line) => `${JSON.stringify(filter(line))}\n`)
    .join("");
};

/** What was decided, without the words of it. */
const decided = async (text: string) => {
  const result = await replay(text);
  if (!result.ok) return result.error;
  return result.value.map(({ at, alert, sessionID, requestID, outcome, reason, channels }) => ({
    at,
    alert,
    sessionID,
    requestID,
    outcome,
    reason,
    channels,
  }));
};

/** Session titles decide only where a list of excluded ones is set. */
const hasExclude = (text: string): boolean => text.includes("exclude");

describe("a trace without private text", () => {
  test.each(traces.filter(({ text }) => !hasExclude(text)))("$name decides as before", async ({ text }) => {
    expect(await decided(filtered(text))).toEqual(await decided(text));
  });

  test("keeps nothing a person wrote, wherever a host puts it", () => {
    const secret = "Hunter2 at /home/ann/secret.txt";
    const plant = (value: unknown, at: { left: number }): unknown => {
      if (typeof value === "string") return at.left-- === 0 ? `${value}${secret}` : value;
      if (Array.isArray(value)) return value.map((item) => plant(item, at));
      if (!isRecord(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plant(member, at)]));
    };
    const lines = traces.flatMap(({ text }) => linesOf(text));
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(30), (line, left) => {
        const planted = plant(line, { left });
        return !isRecord(planted) || !JSON.stringify(createPrivacyFilter()(planted)).includes("Hunter2");
      }),
      { numRuns: 3_000 },
    );
  });

  test("keeps no word of a prompt, a command, a file, an error text or a title of a real host's events", () => {
    const words = /echo hi|scripted|provider said|\[bash|\[question|Fix login|general subagent|package\.json|\/home\//i;
    for (const { name, text } of traces)
      expect(`${name} ${words.exec(filtered(text))?.[0] ?? "clean"}`).toBe(`${name} clean`);
  });

  test("keeps no address, secret or pattern of the configuration", () => {
    const filter = createPrivacyFilter();
    const push = [{ type: "ntfy", url: "https://my.host/x", topic: "secret-topic", token: "tk_1", afterSeconds: 5 }];
    const line = {
      t: 0,
      kind: "meta",
      config: { locale: "de", alerts: { exclude: ["client*"], push, done: { mode: "both" } } },
    };
    expect(filter(line)).toEqual({
      t: 0,
      kind: "meta",
      config: {
        locale: "de",
        alerts: {
          exclude: ["text"],
          push: [{ type: "ntfy", url: "https://example.invalid/", topic: "text", token: "text", afterSeconds: 5 }],
          done: { mode: "both" },
        },
      },
    });
    expect(
      filter({ t: 1, kind: "config", text: '{ "locale": "de", // mine\n "notifications": { "voice": "Anna" } }' }),
    ).toEqual({
      t: 1,
      kind: "config",
      text: '{"locale":"de","notifications":{"voice":"text"}}',
    });
    expect(filter({ t: 1, kind: "config", text: "token: tk_1" })).toEqual({ t: 1, kind: "config", text: "{ not JSON" });
  });
});

test("a second pass changes nothing: an older relay sends raw lines, a newer one does not", () => {
  for (const { name, text } of traces) {
    const [first, second] = [createPrivacyFilter(), createPrivacyFilter()];
    const once = linesOf(text).map((line) => first(line));
    expect(
      once.map((line) => second(line)),
      name,
    ).toEqual(once);
  }
});
