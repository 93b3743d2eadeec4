import { expect, test } from "vitest";
import { isSameToken, makeRelayID, makeToken } from "../../../src/server/focus/credentials.ts";
import { relayIDFromName } from "../../../src/shared/rendezvous.ts";

test("a token has 256 bit and is never the same twice", () => {
  const tokens = Array.from({ length: 1_000 }, makeToken);
  expect(new Set(tokens).size).toBe(1_000);
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
});

test("only the same text is the same token, whatever its length", () => {
  const token = makeToken();
  expect(isSameToken(token, token)).toBe(true);
  for (const other of ["", token.slice(1), `${token}=`, token.toLowerCase(), makeToken()])
    expect(isSameToken(other, token)).toBe(false);
});

test("a relay's id can name its file", () => {
  const id = makeRelayID();
  expect(relayIDFromName(`${id}.json`)).toBe(id);
});
