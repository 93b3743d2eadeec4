import { expect, test } from "vitest";
import { textsIn } from "../../../src/server/delivery/topic-lines.ts";

const line = (said: object): string => `${JSON.stringify(said)}\n`;

test("only messages are heard, whatever else a server says, and however it is cut into chunks", () => {
  const hear = textsIn(1_000);
  const said = [
    line({ event: "open", topic: "t" }),
    line({ event: "keepalive", message: "not one" }),
    "no JSON\n",
    line({ event: "message", message: "héllo" }),
    line({ event: "message", message: 7 }),
  ].join("");
  const heard = [...said].flatMap((character) => hear(character) ?? ["refused"]);
  expect(heard).toEqual(["héllo"]);
});

test("a line longer than any ntfy writes is refused, also before it ends", () => {
  expect(textsIn(10)("12345678901\n")).toBeUndefined();
  const hear = textsIn(10);
  expect(hear("1234567890")).toEqual([]);
  expect(hear("1")).toBeUndefined();
});
