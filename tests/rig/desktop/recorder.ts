import { connect } from "node:net";
import type { Message } from "dbus-native";
import * as dbus from "dbus-native";
import { ceilingMs } from "../host/wait-for.ts";

/** One `Notify` that went over the bus, and what became of it. */
export type Banner = {
  /** What the daemon answered; undefined while it has not, or when it refused. */
  id?: number;
  sender: string;
  app: string;
  title: string;
  body: string;
  urgency: "low" | "normal" | "critical";
  actions: { key: string; label: string }[];
  hints: Record<string, unknown>;
  timeoutMs: number;
  /** The number asked for; 0 = a new one. */
  replaces: number;
  /** A later Notify took its place. */
  overwritten: boolean;
  error?: string;
  invoked: string[];
  closed?: { reason: "expired" | "dismissed" | "closed" | "undefined"; by: "call" | "daemon" };
};

const notifications = "org.freedesktop.Notifications";
const reasons = { 1: "expired", 2: "dismissed", 3: "closed" } as const;
const urgencies = ["low", "normal", "critical"] as const;
const [methodCall, methodReturn, errorReply, signal] = [1, 2, 3, 4];

/** A monitor of the whole private bus: it sees every call, answer and signal in the order the bus saw them. */
export async function startRecorder(address: string, banners: Banner[]) {
  const stream = connect({ path: address.replace(/^unix:path=/, "").replace(/,.*/, "") });
  const client = dbus.createClient({ stream, plainValues: true });
  client.connection.on("error", () => {});
  const calls = new Map<string, Banner>();
  const closeAsked = new Set<number>();
  const paths = new Map<string, () => void>();
  const byID = (id: unknown) => banners.findLast((banner) => banner.id === id);

  function onCall(message: Message) {
    if (message.member === "CloseNotification") closeAsked.add(Number(message.body?.[0]));
    if (message.member !== "Notify") return;
    const banner = bannerOf(message);
    closeAsked.delete(banner.replaces); // asked before it was shown anew; a close asked from here on is this one's
    banners.push(banner);
    calls.set(`${message.sender}/${message.serial}`, banner);
  }

  function onAnswer(message: Message) {
    const banner = calls.get(`${message.destination}/${message.replySerial}`);
    if (!banner) return;
    if (message.type === errorReply) banner.error = `${message.errorName}: ${message.body?.[0]}`;
    else {
      const id = Number(message.body?.[0]);
      const before = byID(id);
      if (before && !before.closed) before.overwritten = true;
      if (banner.replaces !== id) closeAsked.delete(id);
      banner.id = id;
    }
  }

  function onSignal({ member, body: [id, value] = [] }: Message) {
    const banner = byID(id);
    if (!banner) return;
    if (member === "ActionInvoked") banner.invoked.push(String(value));
    if (member === "NotificationClosed" && !banner.closed) {
      const reason = value === 1 || value === 2 || value === 3 ? reasons[value] : "undefined";
      banner.closed = { reason, by: closeAsked.has(Number(id)) ? "call" : "daemon" };
    }
  }

  await new Promise<void>((resolve, reject) => {
    const call = {
      path: "/org/freedesktop/DBus",
      destination: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus.Monitoring",
    };
    void client.invoke({ ...call, member: "BecomeMonitor", signature: "asu", body: [[], 0] }, (error: unknown) =>
      error ? reject(error) : resolve(),
    );
  });
  // The library would answer the calls it overhears, and the bus ends a monitor that speaks.
  client.connection.removeAllListeners("message");
  client.connection.on("message", (message) => {
    paths.get(message.path ?? "")?.();
    if (message.type === methodCall && message.interface === notifications) onCall(message);
    if (message.type === methodReturn || message.type === errorReply) onAnswer(message);
    if (message.type === signal && message.interface === notifications) onSignal(message);
  });

  return {
    /** Resolves when a message to that object path went over the bus: all before it have been seen then. */
    passed: (path: string) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`nothing was sent to ${path}`)), ceilingMs);
        paths.set(path, () => {
          clearTimeout(late);
          paths.delete(path);
          resolve();
        });
      }),
    stop: () => stream.destroy(),
  };
}

function bannerOf({ sender = "", body = [] }: Message): Banner {
  const [app, replaces, , title, text, words, hints, timeoutMs] = body;
  const flat = Array.isArray(words) ? words.map(String) : [];
  const named: Record<string, unknown> = typeof hints === "object" && hints !== null ? { ...hints } : {};
  return {
    sender,
    app: String(app),
    title: String(title),
    body: String(text),
    urgency: urgencies[Number(named.urgency ?? 1)] ?? "normal",
    actions: flat.flatMap((key, at) => (at % 2 === 0 ? [{ key, label: flat[at + 1] ?? "" }] : [])),
    hints: named,
    timeoutMs: Number(timeoutMs),
    replaces: Number(replaces),
    overwritten: false,
    invoked: [],
  };
}
