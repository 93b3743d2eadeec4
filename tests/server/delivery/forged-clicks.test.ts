import { beforeEach, describe, expect, test } from "vitest";
import type { NoteEvent, Outlet } from "../../../src/server/delivery/channel.ts";
import { createDbusBanner } from "../../../src/server/delivery/dbus-banner.ts";
import { notifications } from "../../../src/server/delivery/notification-daemon.ts";
import type { BusCall, BusSignal, SessionBus, SignalRule } from "../../../src/server/delivery/session-bus.ts";
import { ok } from "../../../src/shared/result.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { noteOf } from "./note.ts";

const owner = ":1.9";
const never = new AbortController().signal;
const buttons = [
  { key: "default", label: "Open" },
  { key: "once:per_1", label: "Allow once" },
];

/** A bus on which the owner of the notifications' name says whatever the test wants. */
function busWith(capabilities: readonly string[]) {
  const listeners: [SignalRule, (signal: BusSignal) => void][] = [];
  let nextID = 42;
  let before = () => {};
  const answers: Record<string, (call: BusCall) => unknown[]> = {
    GetNameOwner: () => [owner],
    GetCapabilities: () => [[...capabilities]],
    Notify: ({ body = [] }) => [Number(body[1]) || nextID++],
  };
  const bus: SessionBus = {
    async call(call) {
      if (call.member === "Notify") before();
      return ok(answers[call.member]?.(call) ?? []);
    },
    listen: async (rule, on) => {
      listeners.push([rule, on]);
      return ok([]);
    },
    onClose: () => () => {},
    close() {},
  };
  const say = (signal: BusSignal) => {
    for (const [{ argument }, on] of listeners) if (argument === undefined) on(signal);
  };
  return {
    bus,
    press: (id: number, action: string, sender = owner) => say({ sender, member: "ActionInvoked", body: [id, action] }),
    beforeNextAnswer(run: () => void) {
      before = run;
    },
    restart: () => {
      for (const [{ argument }, on] of listeners)
        if (argument === notifications.destination)
          on({ sender: "org.freedesktop.DBus", member: "NameOwnerChanged", body: [argument, owner, ":1.77"] });
    },
  };
}

let events: NoteEvent[];
beforeEach(() => {
  events = [];
});
function setUp(capabilities: readonly string[] = ["body", "actions"]) {
  const { bus, ...daemon } = busWith(capabilities);
  const outletOn = (): Outlet =>
    createDbusBanner({
      openBus: async () => ok(bus),
      paths: ["/run/bus"],
      clock: patientClock,
      onNote: (event) => events.push(event),
    });
  return { ...daemon, outlet: outletOn(), outletOn };
}
const actions = () => events.flatMap((event) => (event.type === "action" ? [event.action] : []));

describe("a press counts only when exactly that banner offered it", () => {
  test("not on a banner without buttons: neither an answer nor a click", async () => {
    const { outlet, press } = setUp();
    await outlet.send(noteOf(), never);
    for (const action of ["once:per_1", "reject:per_1", "default", ""]) press(42, action);
    expect(events).toEqual([]);
  });

  test("not where the daemon shows no buttons, although they were wanted", async () => {
    const { outlet, press } = setUp(["body"]);
    await outlet.send(noteOf({ actions: buttons }), never);
    press(42, "once:per_1");
    expect(events).toEqual([]);
  });

  test("not for another request, nor another decision, than its buttons name", async () => {
    const { outlet, press } = setUp();
    await outlet.send(noteOf({ actions: buttons }), never);
    for (const action of ["once:per_2", "reject:per_1", "once:", "once:per_1 ", "ONCE:per_1", "__proto__"])
      press(42, action);
    press(42, "once:per_1");
    expect(actions()).toEqual(["once:per_1"]);
  });

  test("not on another session's banner, nor one that is not ours", async () => {
    const { outlet, press } = setUp();
    await outlet.send(noteOf({ actions: buttons }), never);
    await outlet.send(noteOf({ key: "session.R", sessionID: "R" }), never);
    for (const id of [0, 41, 43, 44]) press(id, "once:per_1");
    expect(events).toEqual([]);
  });

  test("not after a newer banner without it took its place, nor after it was taken back", async () => {
    const { outlet, press } = setUp();
    await outlet.send(noteOf({ actions: buttons }), never);
    await outlet.send(noteOf({ body: "2 requests", actions: buttons.slice(0, 1) }), never);
    press(42, "once:per_1");
    press(42, "default");
    expect(actions()).toEqual(["default"]);
    await outlet.withdraw?.("ses_S");
    press(42, "default");
    expect(actions()).toEqual(["default"]);
  });

  test("not from anybody but the owner of the name, nor from its successor", async () => {
    const { outlet, press, restart } = setUp();
    await outlet.send(noteOf({ actions: buttons }), never);
    for (const sender of [":1.10", "", notifications.destination, "org.freedesktop.DBus"])
      press(42, "once:per_1", sender);
    expect(events).toEqual([]);
    restart();
    for (const sender of [owner, ":1.77"]) press(42, "once:per_1", sender);
    expect(actions()).toEqual([]);
  });

  test("not where another daemon took the name while the banner was on its way", async () => {
    const { outlet, press, restart, beforeNextAnswer } = setUp();
    await outlet.send(noteOf({ key: "warm" }), never);
    beforeNextAnswer(restart);
    expect(await outlet.send(noteOf({ actions: buttons }), never)).toMatchObject({ ok: true });
    for (const sender of [owner, ":1.77"]) press(43, "once:per_1", sender);
    expect(actions()).toEqual([]);
  });

  test("and the next one of us knows what a banner offered that it took over", async () => {
    const { outlet, outletOn, press } = setUp();
    await outlet.send(noteOf({ actions: buttons }), never);
    const up = outlet.up?.() ?? [];
    expect(up).toMatchObject([{ offered: ["default", "once:per_1"] }]);
    events = [];
    const next = outletOn();
    next.adopt?.(up);
    await next.replaces?.("ses_S");
    events = [];
    press(42, "once:per_2");
    press(42, "once:per_1");
    expect(new Set(actions())).toEqual(new Set(["once:per_1"]));
  });
});
