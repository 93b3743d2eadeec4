import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryFailure, Note, Outlet } from "../../src/server/delivery/channel.ts";
import { cleanNote } from "../../src/server/delivery/clean-note.ts";
import { createChannel } from "../../src/server/delivery/create-channel.ts";
import { type Clock, systemClock } from "../../src/shared/clock.ts";
import { patientClock } from "../fakes/patient-clock.ts";
import { noteOf } from "../server/delivery/note.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** An outlet in real surroundings. */
export type Arranged = {
  outlet: Outlet;
  /** The texts of every note that arrived on the other side, oldest first; waits until there are `count`. */
  received(count: number): Promise<readonly (readonly string[])[]>;
  /** Another outlet of the same kind in the same surroundings. */
  next?(): Outlet;
  close(): Promise<void>;
};

export type OutletUnderTest = {
  name: string;
  works(): Promise<Arranged>;
  /** Whether it says that a note it brought is gone again; "never" when left out. */
  takesBack?: "never" | "itself" | "also the next one";
  /** Of a clean note, the texts that must arrive. */
  texts(note: Note): readonly string[];
  /** Each way in which it can fail, arranged for real. A hanging one may take the channel's deadline. */
  fails: Partial<Record<DeliveryFailure, () => Promise<Pick<Arranged, "outlet" | "close">>>>;
};

const channelOver = (outlet: Outlet, clock: Clock, log: (line: string) => void = () => {}) =>
  createChannel({ name: "banner", outlets: [outlet], deadlineMs: 2_500, clock, log });

/** What every outlet must do. Each outlet's own test runs it. */
export function outletContract({ name, works, texts, fails, takesBack = "never" }: OutletUnderTest): void {
  describe(`${name}, as every outlet`, () => {
    let arranged: Arranged;
    let count = 0;
    beforeAll(async () => {
      arranged = await works();
    });
    afterAll(() => arranged.close());

    /** Sends one note under that key and waits until it has arrived. */
    async function bring(key: string): Promise<void> {
      count += 1;
      const note = cleanNote(noteOf({ key }));
      expect(await arranged.outlet.send(note, new AbortController().signal)).toMatchObject({ ok: true });
      await arranged.received(count);
    }

    test.each(Object.entries(hostileTexts))("brings %s to the person as it was written", async (_, text) => {
      const note = noteOf({ ...text, key: `k${count}`, spoken: `${text.title}: ${text.body}` });
      count += 1;
      expect(await channelOver(arranged.outlet, patientClock).send(note)).toMatchObject({
        ok: true,
        outlet: arranged.outlet.name,
      });
      const received = await arranged.received(count);
      expect(received).toHaveLength(count);
      expect(received.at(-1)).toEqual(texts(cleanNote(note)));
      expect(existsSync("pwned")).toBe(false);
    });

    test("brings notes of several sessions at the same time", async () => {
      const notes = ["a", "b", "c"].map((key) => noteOf({ key, title: `Session ${key}`, spoken: `Session ${key}` }));
      const channel = channelOver(arranged.outlet, patientClock);
      const sent = await Promise.all(notes.map((note) => channel.send(note)));
      expect(sent.map(({ ok }) => ok)).toEqual([true, true, true]);
      count += 3;
      const received = (await arranged.received(count)).slice(-3);
      expect(new Set(received.map((one) => one.join()))).toEqual(new Set(notes.map((note) => texts(note).join())));
    });

    test(`${takesBack === "never" ? "never takes back" : "takes back"} what it brought, and says so once`, async () => {
      const { outlet } = arranged;
      await bring("going");
      expect((await outlet.withdraw?.("going")) ?? false).toBe(takesBack !== "never");
      expect((await outlet.withdraw?.("going")) ?? false).toBe(false);
      expect((await outlet.withdraw?.("never sent")) ?? false).toBe(false);
    });

    if (takesBack === "also the next one") {
      test("hands over what it has up, and the next one takes that back", async () => {
        await bring("handed over");
        expect(await arranged.outlet.replaces?.("handed over")).toBe(true);
        const next = arranged.next?.();
        next?.adopt?.(arranged.outlet.up?.() ?? []);
        expect(await next?.replaces?.("handed over")).toBe(true);
        expect(await next?.withdraw?.("handed over")).toBe(true);
        expect(await next?.replaces?.("handed over")).toBe(false);
        await next?.close?.();
      });
    }

    test("can be closed twice", async () => {
      await arranged.outlet.close?.();
      await arranged.outlet.close?.();
    });
  });

  describe(`${name}, when it cannot`, () => {
    for (const [reason, arrange] of Object.entries(fails)) {
      test(`says ${reason}, throws nothing, and logs one line for two notes`, async () => {
        const { outlet, close } = await arrange();
        const lines: string[] = [];
        const channel = channelOver(outlet, systemClock, (line) => lines.push(line));
        expect(await channel.send(noteOf())).toMatchObject({ ok: false, outlet: outlet.name, reason });
        expect(await channel.send(noteOf())).toMatchObject({ ok: false, outlet: outlet.name });
        expect(lines.filter((line) => line.includes(reason))).toHaveLength(1);
        await channel.withdraw("ses_S");
        await channel.close();
        await close();
      });
    }
  });
}
