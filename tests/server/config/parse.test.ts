import { describe, expect, test } from "vitest";
import { problemText } from "../../../src/server/config/finding.ts";
import { parseConfig } from "../../../src/server/config/parse.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";

const read = (text: string) => {
  const parsed = parseConfig(text);
  if (!parsed.ok) throw new Error(problemText(parsed.error));
  return parsed.value;
};
const complaint = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.ok ? "valid" : problemText(parsed.error);
};

test("an empty object means all defaults", () => {
  expect(read("{}")).toEqual(defaultConfig);
});

test("comments, trailing commas and a byte order mark are welcome", () => {
  const text = '\uFEFF{ // loud please\n  "alerts": { "done": { "mode": "voice", }, } /* yes */,\n}\n';
  expect(read(text).alerts.done.mode).toBe("voice");
});

test("null and an absent key mean the same, anywhere", () => {
  const text = `{ "$schema": null, "locale": null, "notifications": { "voice": null, "sound": null },
    "alerts": { "pause": null, "done": { "mode": null }, "quietHours": null,
      "push": [{ "type": "ntfy", "url": "https://ntfy.sh", "topic": "t", "token": null, "events": null }] } }`;
  const config = read(text);
  expect({ ...config.alerts, push: [] }).toEqual(defaultConfig.alerts);
  expect(config.alerts.push[0]?.events).toEqual(["pause", "error"]);
});

test("a webhook may say that it brings no answer back, which is so anyway", () => {
  const said = ["false", "null"].map((value) =>
    read(`{ "alerts": { "push": [{ "type": "webhook", "url": "https://a.example", "actions": ${value} }] } }`),
  );
  expect(said.map(({ alerts }) => alerts.push[0]?.actions)).toEqual([false, false]);
});

test.each([
  [
    '{ "alerts": { "done": { "mode": "loud" } } }',
    'alerts.done.mode (line 1, column 33): expected one of "both", "banner", "voice", "none", found "loud"',
  ],
  [
    '{ "alerts": { "done": { "mode": "vioce" } } }',
    'alerts.done.mode (line 1, column 33): expected one of "both", "banner", "voice", "none", found "vioce"; did you mean "voice"?',
  ],
  [
    '{\n  "alerts": {\n    "dnoe": {}\n  }\n}',
    'alerts.dnoe (line 3, column 5): expected one of the keys pause, done, error, detail, sound, focus, terminal, quietHours, exclude, reminder, push, found an unknown key; did you mean "done"?',
  ],
  [
    '{ "alerts": { "done": { "settleMs": "10s" } } }',
    'alerts.done.settleMs (line 1, column 37): expected a whole number from 0 to 60000, found "10s"',
  ],
  [
    '{ "alerts": { "done": { "settleMs": 1.5 } } }',
    "alerts.done.settleMs (line 1, column 37): expected a whole number from 0 to 60000, found 1.5",
  ],
  [
    '{ "alerts": { "push": [{ "type": "webhook", "url": "https://a.example", "actions": true }] } }',
    "alerts.push[0].actions (line 1, column 84): expected false: no answer comes back from a webhook, only from ntfy, found true",
  ],
  [
    '{ "alerts": { "push": [{ "type": "ntfy", "url": "https://a.example", "topic": "t", "actions": "yes" }] } }',
    'alerts.push[0].actions (line 1, column 95): expected true or false, found "yes"',
  ],
  ['{ "alerts": { "focus": [] } }', "alerts.focus (line 1, column 24): expected an object { … }, found a list"],
  [
    '{ "alerts": { "sound": 3 } }',
    "alerts.sound (line 1, column 24): expected true or false or text of 1 to 1000 characters, found 3",
  ],
  [
    '{ "alerts": { "quietHours": [{ "from": "25:00", "to": "07:00" }] } }',
    'alerts.quietHours[0].from (line 1, column 40): expected a time such as 22:00, found "25:00"',
  ],
  [
    '{ "alerts": { "quietHours": [{ "from": "22:00" }] } }',
    "alerts.quietHours[0].to (line 1, column 30): expected a time such as 22:00, found nothing",
  ],
  [
    '{ "alerts": { "push": [{ "type": "mail" }] } }',
    'alerts.push[0].type (line 1, column 34): expected "ntfy" or "webhook", found "mail"',
  ],
  [
    '{ "notifications": { "voice": "" } }',
    "notifications.voice (line 1, column 31): expected text of 1 to 100 characters, found empty text",
  ],
  ["[]", "line 1, column 1: expected an object { … }, found a list"],
  ["null", "line 1, column 1: expected an object { … }, found nothing"],
])("%s is refused by name, with what was expected and found", (text, words) => {
  expect(complaint(text)).toBe(words);
});

test.each([
  ['{"voice": ', "line 1, column 11: expected a value, found the end of the file"],
  ["", "line 1, column 1: expected { … }, found an empty file"],
  ["// only a note", "line 1, column 15: expected a value, found the end of the file"],
  [
    '{\n  "locale": loud\n}',
    "line 2, column 13: expected JSON (keys and text stand in double quotes), found a word without quotes",
  ],
  ["{ 'locale': 1 }", "line 1, column 3: expected JSON (keys and text stand in double quotes), found '"],
  ['{ "locale" "en" }', "line 1, column 12: expected a colon, found text"],
  ['{ "locale": "en"\n  "alerts": {} }', "line 2, column 3: expected a comma, found text"],
  ['{ "locale": "en" } }', "line 1, column 20: expected nothing after the end, found }"],
  ['{ "locale": "en", "locale": "de" }', "line 1, column 19: expected each key once, found the same key again"],
])("text that is not JSON is refused with its place: %s", (text, words) => {
  expect(complaint(text)).toBe(words);
});

test("every wrong key is named, not only the first", () => {
  const text = '{"bannr": true, "voice": "loud", "minDuration": "10s", "events": {"done": "yes"}}';
  const parsed = parseConfig(text);
  expect(parsed.ok ? [] : parsed.error.findings.map(({ key }) => key)).toEqual([
    "bannr",
    "voice",
    "minDuration",
    "events",
  ]);
});

test("an unknown key is named even when its value is null", () => {
  expect(complaint('{ "alerts": { "donne": null } }')).toContain('did you mean "done"?');
});

test("a key named __proto__ or constructor is an unknown key like any other", () => {
  expect(complaint('{ "__proto__": { "locale": "de" } }')).toMatch(
    /^__proto__ \(line 1, column 3\): .* found an unknown key$/,
  );
  expect(complaint('{ "alerts": { "constructor": 1 } }')).toMatch(/^alerts\.constructor .* found an unknown key$/);
});

test("what may be a secret is never repeated", () => {
  const push = (rest: string) => `{ "alerts": { "push": [{ "type": "ntfy", "topic": "t", ${rest} }] } }`;
  expect(complaint(push('"url": "tk_secret"'))).toContain("expected an http or https address, found other text");
  expect(complaint(push('"url": "https://x.example", "token": ["tk_secret"]'))).not.toContain("tk_secret");
  expect(complaint(push('"url": "https://x.example", "token": "tk_secret'))).not.toContain("tk_secret");
  expect(complaint(push('"url": "https://x.example", "token": tk_secret'))).toContain("found a word without quotes");
  for (const wrong of ['"https://tk_secret"', '["https://tk_secret"]', '{ "url": "https://tk_secret" }'])
    expect(complaint(`{ "alerts": { "push": ${wrong} } }`)).not.toContain("tk_secret");
});

describe("a push target that can never work", () => {
  const complaintAbout = (given: object) =>
    complaint(
      JSON.stringify({ alerts: { push: [{ type: "ntfy", url: "https://ntfy.example", topic: "mine", ...given }] } }),
    );
  const spaces = "an address without spaces, control characters and backslashes";
  const name = "an address with a host name, and a port from 1 to 65535 if any";
  const noUser = "an address without user name and password: they are not sent (an ntfy server takes a token)";
  const topic = "a topic: 1 to 64 letters, digits, - and _";
  const token = "a token: 1 to 1000 letters, digits and signs of ASCII, without spaces";

  test.each<[string, string, string]>([
    ["url", "ftp://a.example", "an http or https address"],
    ["url", "ntfy.sh", "an http or https address"],
    ["url", "javascript:alert(1)", "an http or https address"],
    ["url", "https:/a.example", "an http or https address"],
    ["url", " https://a.example", "an http or https address"],
    ["url", "https://user:geheim@a.example", noUser],
    ["url", "https://geheim@a.example/x", noUser],
    ["url", "https://@a.example", noUser],
    ["url", "https://a.example?x@y", "valid"],
    ["url", "https://a.example/x@y", "valid"],
    ["url", "https://a.example/#geheim", "an address without a fragment (#…): no server is told of it"],
    ["url", "https://a.example/ge heim", spaces],
    ["url", "https://a.example/ge\nheim", spaces],
    ["url", "https://a.example/ge\u202eheim", spaces],
    ["url", "https://a.example\\geheim", spaces],
    ["url", "https://", name],
    ["url", "https://a..example", name],
    ["url", `https://${"a".repeat(64)}.example`, name],
    ["url", "https://a.example:0", name],
    ["url", "https://a.example:70000", name],
    ["url", "https://256.1.1.1", name],
    ["url", "https://[::1", name],
    ["url", `https://a.example/${"x".repeat(2_000)}`, "an address of at most 2000 characters"],
    ["url", "https://a.example/mine", "the server's address alone: the topic is given by itself"],
    ["url", "https://a.example/mine/?a=b", "the server's address alone: the topic is given by itself"],
    ["url", "https://mine", "valid"],
    ["url", "HTTPS://A.example:8443/behind/a/proxy?auth=x", "valid"],
    ["url", "http://[::1]:2586", "valid"],
    ["url", "http://bücher.example.", "valid"],
    ["topic", "https://ntfy.sh/geheim", topic],
    ["topic", "a b", topic],
    ["topic", "ü", topic],
    ["topic", "a/b", topic],
    ["topic", "(((", topic],
    ["topic", "x".repeat(65), topic],
    ["topic", "v1", "another topic: ntfy keeps this one for itself"],
    ["topic", "a-B_9", "valid"],
    ["token", "Bearer geheim", token],
    ["token", "geheim\r\nX-Evil: 1", token],
    ["token", "gehéim", token],
    ["token", "x".repeat(1_001), token],
    ["token", "tk_AZaz09~!", "valid"],
  ])("is refused at its place: %s %j", (key, value, expected) => {
    const said = complaintAbout({ [key]: value });
    const column = expect.stringMatching(/^alerts\.push\[0\]\.\w+ \(line 1, column \d+\): /);
    expect(said).toEqual(expected === "valid" ? "valid" : column);
    expect(said.replace(/^.*?\): /, "")).toBe(
      expected === "valid" ? "valid" : `expected ${expected}, found other text`,
    );
    expect(said).not.toMatch(/geheim|gehéim/);
  });

  test("is refused for its empty parts, too", () => {
    expect(complaintAbout({ topic: "" })).toContain(`expected ${topic}, found empty text`);
    expect(complaintAbout({ url: 7 })).toContain("expected an http or https address, found other number");
    expect(complaintAbout({ type: "webhook", topic: undefined, url: "http://u:geheim@a.example" })).toContain(noUser);
  });
});

test("more than 256 KiB is refused unread", () => {
  expect(complaint(`{}${" ".repeat(256 * 1024)}`)).toBe("expected at most 256 KiB, found 257 KiB");
  expect(complaint(`{}${" ".repeat(256 * 1024 - 2)}`)).toBe("valid");
});

test("a message is one bounded line without control or direction characters", () => {
  const words = complaint(JSON.stringify({ locale: `\u202e\n\u0007\ud800${"x".repeat(10_000)}` }));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(words).not.toMatch(/[\u0000-\u001f\u202e]/);
  expect(Buffer.from(words).toString()).toBe(words);
  expect(words.length).toBeLessThan(250);
});

test("a hundred thousand brackets are refused by their depth, not by a crash", () => {
  expect(complaint("[".repeat(100_000))).toBe("line 1, column 33: expected at most 32 levels of nesting, found more");
  expect(complaint(`{ "locale": "en" } // ${"[".repeat(100)}`)).toBe("valid");
});
