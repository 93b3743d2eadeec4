import { describe, expect, test } from "vitest";
import { escapeMarkup, notifyBody } from "../../../src/server/delivery/banner-request.ts";
import { noteOf } from "./note.ts";

const has = (...capabilities: string[]) => new Set(["body", ...capabilities]);

describe("what the daemon is asked to show", () => {
  test("escapes the body where the daemon renders markup, and nowhere else", () => {
    const note = noteOf({ title: "R&D <b>", body: 'a && b, <i>"c"</i>' });
    const rendered = notifyBody(note, has("body-markup"), undefined);
    expect([rendered[3], rendered[4]]).toEqual(["R&D <b>", 'a &amp;&amp; b, &lt;i&gt;"c"&lt;/i&gt;']);
    const literal = notifyBody(note, has(), undefined);
    expect([literal[3], literal[4]]).toEqual(["R&D <b>", 'a && b, <i>"c"</i>']);
  });

  test("puts everything into the title where the daemon shows no body", () => {
    const asked = notifyBody(noteOf({ body: "one\ntwo" }), new Set<string>(), undefined);
    expect([asked[3], asked[4]]).toEqual(["Fix login: one two", ""]);
  });

  test("offers buttons only where they work", () => {
    const note = noteOf({
      actions: [
        { key: "default", label: "Open" },
        { key: "once", label: "Allow" },
      ],
    });
    expect(notifyBody(note, has("actions"), undefined)[5]).toEqual(["default", "Open", "once", "Allow"]);
    expect(notifyBody(note, has(), undefined)[5]).toEqual([]);
  });

  test("silences a daemon that would sound by itself", () => {
    expect(notifyBody(noteOf(), has("sound"), undefined)[6]).toContainEqual(["suppress-sound", ["b", true]]);
    expect(notifyBody(noteOf(), has(), undefined)[6]).not.toContainEqual(["suppress-sound", ["b", true]]);
  });

  test.each([
    ["low", 0, -1],
    ["normal", 1, -1],
    ["critical", 2, 0],
  ] as const)("of %s urgency has the level %d and the expiry %d", (urgency, level, expiry) => {
    const asked = notifyBody(noteOf({ urgency }), has(), 7);
    expect(asked[1]).toBe(7);
    expect(asked[6]).toContainEqual(["urgency", ["y", level]]);
    expect(asked[7]).toBe(expiry);
  });

  test("escapes each sign once", () => {
    expect(escapeMarkup("&lt; <&> &&")).toBe("&amp;lt; &lt;&amp;&gt; &amp;&amp;");
  });
});
