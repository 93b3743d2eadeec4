import { expect, test } from "vitest";
import { createDaemonLink, type DaemonEvent, notifications } from "../../../src/server/delivery/notification-daemon.ts";
import type { BusFailure, BusSignal, OpenBus, SessionBus } from "../../../src/server/delivery/session-bus.ts";
import { fail, ok, type Result } from "../../../src/shared/result.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

type Answer = Result<readonly unknown[], BusFailure>;

/** A daemon called `:1.7` on a bus of which the test plays everybody else. */
async function reach() {
  const events: DaemonEvent[] = [];
  const listeners: ((signal: BusSignal) => void)[] = [];
  const asked: string[] = [];
  let capabilities: Answer = ok([["body"]]);
  let buses = 0;
  const bus: SessionBus = {
    async call({ member }) {
      asked.push(member);
      return member === "GetNameOwner" ? ok([":1.7"]) : capabilities;
    },
    async listen(_rule, on) {
      listeners.push(on);
      return ok([]);
    },
    onClose: () => {},
    close: () => {},
  };
  const openBus: OpenBus = async () => {
    buses += 1;
    return buses === 1 ? fail({ kind: "unavailable", detail: "not yet" }) : ok(bus);
  };
  const link = createDaemonLink({
    openBus,
    paths: [],
    clock: createHandCrankedClock(),
    deadlineMs: 1_000,
    on: (event) => events.push(event),
  });
  expect(await link.reach()).toMatchObject({ ok: false });
  const daemon = await link.reach();
  if (!daemon.ok) throw new Error(daemon.error.detail);
  return {
    daemon: daemon.value,
    events,
    asked,
    hears: (signal: BusSignal) => {
      for (const on of listeners) on(signal);
    },
    capabilitiesAre: (answer: Answer) => {
      capabilities = answer;
    },
  };
}

const clicked = (sender: string): BusSignal => ({ sender, member: "ActionInvoked", body: [1, "default"] });
const changesHands: BusSignal = {
  sender: "org.freedesktop.DBus",
  member: "NameOwnerChanged",
  body: [notifications.destination, ":1.7", ":1.9"],
};

test("a click counts only when the daemon itself tells of it: anybody on the bus could say so", async () => {
  const { events, hears } = await reach();
  hears(clicked(":1.66"));
  expect(events).toEqual([]);
  hears(clicked(":1.7"));
  expect(events).toEqual([{ type: "action", id: 1, action: "default" }]);
});

test("a token belongs to the one click that follows it", async () => {
  const { events, hears } = await reach();
  hears({ sender: ":1.7", member: "ActivationToken", body: [1, "token"] });
  hears(clicked(":1.7"));
  hears(clicked(":1.7"));
  expect(events).toEqual([
    { type: "action", id: 1, action: "default", token: "token" },
    { type: "action", id: 1, action: "default" },
  ]);
});

test("each daemon process is asked once what it can, one that could not answer again", async () => {
  const { daemon, asked, hears, capabilitiesAre } = await reach();
  const times = () => asked.filter((member) => member === "GetCapabilities").length;
  capabilitiesAre(fail({ kind: "refused", detail: "busy" }));
  expect((await daemon.capabilities()).ok).toBe(false);
  capabilitiesAre(ok([["body"]]));
  await daemon.capabilities();
  await daemon.capabilities();
  expect(times()).toBe(2);
  hears(changesHands);
  expect(daemon.owner()).toBe(":1.9");
  await daemon.capabilities();
  expect(times()).toBe(3);
});
