import { expect, test } from "vitest";
import { createMuteReader, type MuteFile } from "../../../src/server/config/mute.ts";

function setUp() {
  const logged: string[] = [];
  const reader = createMuteReader({ log: (line) => logged.push(line) });
  return {
    reader,
    logged,
    put: (file: MuteFile) => reader.take(file),
  };
}

test("a mute counts from the next look on, and so does its end", () => {
  const { reader, put } = setUp();
  expect(reader.until()).toBeUndefined();
  put({ kind: "until", until: 1_000 });
  expect(reader.until()).toBe(1_000);
  put({ kind: "none" });
  expect(reader.until()).toBeUndefined();
});

test("a file that cannot be read mutes nothing and is logged once", () => {
  const { reader, put, logged } = setUp();
  put({ kind: "unreadable", why: "mute.json: permission denied" });
  expect(reader.until()).toBeUndefined();
  put({ kind: "unreadable", why: "mute.json: permission denied" });
  expect(logged).toEqual(["mute ignored: mute.json: permission denied"]);
  put({ kind: "until", until: 5 });
  expect(reader.until()).toBe(5);
});
