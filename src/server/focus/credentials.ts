import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bit, as text fit for JSON. Never logged, never in an address. */
export const makeToken = (): string => randomBytes(32).toString("base64url");

/** Names a relay in its file and in its welcome; no secret. */
export const makeRelayID = (): string => randomBytes(8).toString("hex");

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares in constant time, whatever the lengths: digests are compared, not the texts. */
export const isSameToken = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));
