import { expect, test } from "vitest";
import type { Outlet } from "../../../src/server/delivery/channel.ts";
import { lazyOutlet } from "../../../src/server/delivery/lazy-outlet.ts";
import { noteOf } from "./note.ts";

const signal = new AbortController().signal;

function createLoader(failures = 0) {
  const did: string[] = [];
  const outlet: Outlet = {
    name: "real",
    send: async () => ({ ok: true, outlet: "real", certainty: "accepted" }),
    async withdraw(key) {
      did.push(`withdraw ${key}`);
      return true;
    },
    replaces: async () => true,
    async close() {
      did.push("close");
    },
  };
  let left = failures;
  const load = async () => {
    did.push("load");
    if (left-- > 0) throw new Error("not there");
    return outlet;
  };
  return { did, lazy: lazyOutlet("real", load) };
}

test("an outlet is loaded by its first note and only once", async () => {
  const { did, lazy } = createLoader();
  expect(await lazy.withdraw?.("k")).toBe(false);
  expect(await lazy.replaces?.("k")).toBe(false);
  await lazy.close?.();
  expect(did).toEqual([]);
  await Promise.all([lazy.send(noteOf(), signal), lazy.send(noteOf(), signal)]);
  expect(await lazy.replaces?.("k")).toBe(true);
  expect(await lazy.withdraw?.("k")).toBe(true);
  await lazy.close?.();
  expect(did).toEqual(["load", "withdraw k", "close"]);
});

test("a load that failed is tried again at the next note", async () => {
  const { lazy } = createLoader(1);
  await expect(lazy.send(noteOf(), signal)).rejects.toThrow("not there");
  await lazy.close?.();
  expect(await lazy.send(noteOf(), signal)).toMatchObject({ ok: true });
});
