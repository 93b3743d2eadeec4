import type { Clock } from "../../shared/clock.ts";
import { guarded, unattended } from "../../shared/guard.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { BusFailure, BusSignal, OpenBus, SessionBus } from "./session-bus.ts";

/** Where every Linux desktop's notification daemon answers. Source: Desktop Notifications Specification 1.3. */
export const notifications = {
  destination: "org.freedesktop.Notifications",
  path: "/org/freedesktop/Notifications",
  interface: "org.freedesktop.Notifications",
} as const;

const dbus = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
} as const;

export type DaemonEvent =
  | { type: "action"; id: number; action: string; token?: string }
  | { type: "closed"; id: number; reason: number }
  /** The daemon is another one now, or the bus is gone: no id means anything any more. */
  | { type: "restarted" };

export type Daemon = {
  /** The unique name on the bus of the daemon process whose ids are known; undefined while there is none. */
  owner(): string | undefined;
  /** Asked once for each daemon process. */
  capabilities(): Promise<Result<ReadonlySet<string>, BusFailure>>;
  /** The notification's id. `body` as the signature `susssasa{sv}i` wants it. */
  notify(body: readonly unknown[]): Promise<Result<number, BusFailure>>;
  /** False when the daemon refused or is gone; some refuse an id that is closed already. */
  closeNotification(id: number): Promise<boolean>;
};

export type DaemonParts = {
  openBus: OpenBus;
  paths: readonly string[];
  clock: Clock;
  /** For connecting and saying hello, ms. */
  deadlineMs: number;
  on(event: DaemonEvent): void;
};

/** Connects when first needed, and again when the bus had gone. */
export function createDaemonLink(parts: DaemonParts) {
  let link: Promise<Result<Linked, BusFailure>> | undefined;

  const reach = (): Promise<Result<Daemon, BusFailure>> => {
    const opening = link ?? open(parts);
    link = opening;
    unattended("banner", forgetAfter(opening));
    return opening;
  };

  async function forgetAfter(opening: NonNullable<typeof link>): Promise<void> {
    const forget = guarded("banner", () => {
      if (link === opening) link = undefined;
    });
    try {
      const opened = await opening;
      if (opened.ok) opened.value.bus.onClose(forget);
      else forget();
    } catch (bug) {
      forget(); // the next note tries anew
      throw bug;
    }
  }

  return {
    reach,
    async close() {
      const opened = await link;
      if (opened?.ok) opened.value.bus.close();
    },
  };
}

type Linked = Daemon & { bus: SessionBus };

async function open(parts: DaemonParts): Promise<Result<Linked, BusFailure>> {
  const giveUp = new AbortController();
  let close = () => {};
  const cancel = parts.clock.after(parts.deadlineMs, () => {
    giveUp.abort();
    close(); // a bus that stops answering after the hello
  });
  const bus = await parts.openBus(parts.paths, giveUp.signal);
  if (bus.ok) close = bus.value.close;
  const linked = bus.ok ? await follow(bus.value, parts.on) : bus;
  cancel();
  return linked;
}

async function follow(bus: SessionBus, on: (event: DaemonEvent) => void): Promise<Result<Linked, BusFailure>> {
  let owner: string | undefined;
  let known: Promise<Result<ReadonlySet<string>, BusFailure>> | undefined;
  const read = createSignalReader(on);
  const ownerChanged = ({ sender, member, body }: BusSignal) => {
    if (sender !== dbus.destination || member !== "NameOwnerChanged" || body[0] !== notifications.destination) return;
    owner = typeof body[2] === "string" && body[2] !== "" ? body[2] : undefined;
    known = undefined;
    on({ type: "restarted" });
  };
  const [, matched, current] = await Promise.all([
    bus.listen(
      { sender: dbus.destination, path: dbus.path, interface: dbus.interface, argument: notifications.destination },
      ownerChanged,
    ),
    bus.listen(
      { sender: notifications.destination, path: notifications.path, interface: notifications.interface },
      (signal) => {
        if (signal.sender === owner) read(signal);
      },
    ),
    bus.call({ ...dbus, member: "GetNameOwner", signature: "s", body: [notifications.destination] }),
  ]);
  if (!matched.ok) {
    bus.close();
    return matched;
  }
  if (current.ok && typeof current.value[0] === "string") owner = current.value[0];
  bus.onClose(() => on({ type: "restarted" }));

  return ok({
    bus,
    owner: () => owner,
    async capabilities() {
      const asked = known ?? askCapabilities(bus);
      known = asked;
      const answer = await asked;
      if (!answer.ok && known === asked) known = undefined;
      return answer;
    },
    async notify(body) {
      const answer = await bus.call({ ...notifications, member: "Notify", signature: "susssasa{sv}i", body });
      if (!answer.ok) return answer;
      const [id] = answer.value;
      return typeof id === "number" ? ok(id) : fail({ kind: "refused", detail: "the daemon answered without an id" });
    },
    async closeNotification(id) {
      const answer = await bus.call({ ...notifications, member: "CloseNotification", signature: "u", body: [id] });
      return answer.ok;
    },
  });
}

async function askCapabilities(bus: SessionBus): Promise<Result<ReadonlySet<string>, BusFailure>> {
  const answer = await bus.call({ ...notifications, member: "GetCapabilities" });
  if (!answer.ok) return answer;
  return ok(new Set(Array.isArray(answer.value[0]) ? answer.value[0].map(String) : []));
}

/** `ActivationToken` comes just before the `ActionInvoked` it belongs to. */
function createSignalReader(on: (event: DaemonEvent) => void) {
  const tokens = new Map<number, string>();
  return ({ member, body: [id, value] }: BusSignal) => {
    if (typeof id !== "number") return;
    const token = tokens.get(id);
    tokens.delete(id);
    if (member === "NotificationClosed") on({ type: "closed", id, reason: Number(value) });
    else if (typeof value !== "string") return;
    else if (member === "ActivationToken") tokens.set(id, value);
    else if (member === "ActionInvoked") {
      on({ type: "action", id, action: value, ...(token === undefined ? {} : { token }) });
    }
  };
}
