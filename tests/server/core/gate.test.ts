import { describe, expect, test } from "vitest";
import { type Circumstances, gate, suppresses } from "../../../src/server/core/gate.ts";
import { configWith } from "../../fakes/config.ts";

const kinds = ["pause", "done", "error"] as const;
const looked = { by: "T1", until: 1_000 };
const at = (more: Partial<Circumstances> = {}): Circumstances => ({
  kind: "done",
  name: "Fix login",
  muted: false,
  quiet: false,
  attended: undefined,
  ...more,
});
const alerts = (file: object = {}) => configWith({ alerts: file }).alerts;

test.each(kinds)("%s leaves as a banner when nobody looks", (kind) => {
  expect(gate(at({ kind }), alerts())).toEqual({
    open: true,
    plan: { banner: true, voice: false, sound: false },
    attended: undefined,
  });
});

describe("the order of what holds an alert", () => {
  const reasons = [
    ["excluded", {}, { exclude: ["fix*"] }],
    ["mode-none", {}, { done: { mode: "none" } }],
    ["muted", { muted: true }, {}],
    ["attended", { attended: looked }, {}],
  ] as const;

  test.each(reasons.map(([why], index) => [why, index] as const))("%s goes before all that follow", (why, index) => {
    const rest = reasons.slice(index);
    const circumstances = Object.assign({}, ...rest.map(([, each]) => each));
    const config = Object.assign({}, ...rest.map(([, , each]) => each));
    expect(gate(at(circumstances), alerts(config))).toMatchObject({ open: false, why });
  });

  test("quiet hours go before somebody looking, when only voice was wanted", () => {
    expect(gate(at({ quiet: true, attended: looked }), alerts({ done: { mode: "voice" } }))).toMatchObject({
      why: "quiet-hours",
    });
  });
});

describe("channels", () => {
  test.each([
    ["banner", { banner: true, voice: false }],
    ["voice", { banner: false, voice: true }],
    ["both", { banner: true, voice: true }],
  ])("mode %s", (mode, plan) => {
    expect(gate(at(), alerts({ done: { mode } }))).toMatchObject({ plan });
  });

  test("each kind has its own mode", () => {
    const config = alerts({ pause: { mode: "both" }, error: { mode: "none" } });
    expect(gate(at({ kind: "pause" }), config)).toMatchObject({ plan: { banner: true, voice: true } });
    expect(gate(at({ kind: "done" }), config)).toMatchObject({ plan: { banner: true, voice: false } });
    expect(gate(at({ kind: "error" }), config)).toMatchObject({ open: false, why: "mode-none" });
  });

  test.each([
    [false, "banner", false],
    [true, "banner", true],
    ["ping.oga", "both", true],
    [true, "voice", false],
  ] as const)("sound %s with mode %s", (sound, mode, plays) => {
    expect(gate(at(), alerts({ sound, done: { mode } }))).toMatchObject({ plan: { sound: plays } });
  });

  test("quiet hours take voice and sound and leave the banner", () => {
    expect(gate(at({ quiet: true }), alerts({ sound: true, done: { mode: "both" } }))).toMatchObject({
      open: true,
      plan: { banner: true, voice: false, sound: false },
    });
  });
});

describe("while somebody looks", () => {
  const held = (file: object, kind: Circumstances["kind"] = "done") =>
    gate(at({ kind, attended: looked }), alerts(file));

  test.each(kinds)("the banner of a %s is dropped, and who looks is known", (kind) => {
    expect(held({}, kind)).toEqual({ open: false, why: "attended", attended: looked });
  });

  test("mode both becomes voice alone, without a sound", () => {
    expect(held({ sound: true, done: { mode: "both" } })).toEqual({
      open: true,
      plan: { banner: false, voice: true, sound: false },
      attended: looked,
    });
  });

  test("with suppress all nothing is left", () => {
    expect(held({ done: { mode: "both" }, focus: { suppress: "all" } })).toMatchObject({ why: "attended" });
  });

  test.each([
    [{ focus: { suppress: "none" } }],
    [{ focus: { enabled: false } }],
    [{ done: { whenFocused: "deliver" } }],
  ])("with %j it leaves as if nobody looked", (file) => {
    expect(held(file)).toEqual({ open: true, plan: { banner: true, voice: false, sound: false }, attended: undefined });
  });

  test("each kind has its own word on it", () => {
    const config = alerts({ pause: { whenFocused: "deliver" } });
    expect(kinds.filter((kind) => suppresses(kind, config))).toEqual(["done", "error"]);
  });
});

describe("excluded titles", () => {
  const excluded = (glob: string, name: string): boolean => {
    const decision = gate(at({ name }), alerts({ exclude: [glob] }));
    return !decision.open && decision.why === "excluded";
  };

  test.each([
    ["memory capture", "Memory Capture", true],
    ["memory", "memory capture", false],
    ["memory*", "memory capture", true],
    ["*capture", "  memory capture ", true],
    ["*", "", true],
    ["m?mory*", "memory capture", true],
    ["?", "🎈", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-b-b-d", false],
    ["(a|b)", "a", false],
    ["[wip] *", "[WIP] login", true],
    ["a.c", "abc", false],
    ["a\\d", "a1", false],
    ["été*", "ÉTÉ 2026", true],
    ["line*end", "line\nend", true],
    ["**", "anything", true],
  ])("%j on %j: %s", (glob, title, expected) => {
    expect(excluded(glob, title)).toBe(expected);
  });

  test("a glob of nothing but doubt is answered, however long the title", () => {
    expect(excluded(`${"*a".repeat(60)}*b`, "a".repeat(20_000))).toBe(false);
  });
});
