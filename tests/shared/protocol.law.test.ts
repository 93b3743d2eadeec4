import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  commonProtocol,
  encode,
  type FromTerminal,
  fitAlert,
  maxFrameBytes,
  readFromObserver,
  readFromTerminal,
  readHello,
  readToTerminal,
} from "../../src/shared/protocol.ts";

const sessionID = fc.stringMatching(/^ses_[A-Za-z0-9_-]{1,124}$/);
const word = (most: number) => fc.string({ minLength: 1, maxLength: most });
const view = fc.oneof(
  fc.record({ type: fc.constant("session" as const), sessionID }),
  fc.record({ type: fc.constant("session" as const), sessionID, rootID: sessionID }),
  fc.record({ type: fc.constantFrom("home" as const, "other" as const) }),
);
const report = fc.record({
  focus: fc.constantFrom("focused" as const, "blurred" as const, "unknown" as const),
  view,
  idleMs: fc.nat(),
});
const frame: fc.Arbitrary<FromTerminal> = fc.oneof(
  fc.record({ type: fc.constant("report" as const), seq: fc.nat(), report }),
  fc.record({ type: fc.constant("raised" as const), request: fc.nat(), ok: fc.boolean() }),
  fc.record({ type: fc.constant("bye" as const) }),
);

describe("a frame", () => {
  test("is read as it was written, and fits", () => {
    fc.assert(
      fc.property(frame, (sent) => {
        const text = encode(sent);
        expect(readFromTerminal(text)).toEqual({ ok: true, value: sent });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxFrameBytes);
      }),
    );
  });

  test("with one key too many is none", () => {
    fc.assert(
      fc.property(frame, word(20), (sent, key) => {
        fc.pre(!(key in sent));
        return !readFromTerminal(JSON.stringify({ ...sent, [key]: 1 })).ok;
      }),
    );
  });

  test("that is any text at all never throws", () => {
    const readers = [readHello, readFromTerminal, readFromObserver, readToTerminal];
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) =>
        readers.every((read) => typeof read(text).ok === "boolean"),
      ),
    );
  });

  test("with an alert always fits, however long its texts, and never ends in half a character", () => {
    const long = fc.oneof(fc.string({ maxLength: 3_000 }), fc.string({ unit: "binary", maxLength: 3_000 }));
    fc.assert(
      fc.property(word(300), long, long, (key, title, body) => {
        const printable = (text: string) => text.replace(/\p{Cc}/gu, ""); // as cleaned before
        const alert = fitAlert({
          key: printable(key) || "k",
          title: printable(title),
          body: printable(body),
          urgency: "normal",
        });
        const text = encode({ type: "raise", request: 1, alert });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxFrameBytes);
        expect(readToTerminal(text).ok).toBe(true);
        if (title.isWellFormed?.() !== false)
          expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(alert.title)).toBe(false);
      }),
    );
  });
});

test("the highest protocol both speak is picked, in whatever order they are named", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (theirs) => commonProtocol(theirs) === (theirs.includes(1) ? 1 : undefined)),
  );
});
