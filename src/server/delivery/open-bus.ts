import { connect, type Socket } from "node:net";
import type { Message } from "dbus-native";
import { guarded } from "../../shared/guard.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { cleanTitle } from "../../shared/text.ts";
import { createEnding, type Ending } from "./ending.ts";
import { hasPackage } from "./has-package.ts";
import type { BusCall, BusFailure, BusSignal, OpenBus, SessionBus, SignalRule } from "./session-bus.ts";

type Library = typeof import("dbus-native");
type Client = ReturnType<Library["createClient"]>;
type Answer = Result<readonly unknown[], BusFailure>;

const dbus = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
} as const;

/** What we ask for and listen to takes some hundred bytes; the library would gather 128 MiB. */
const mostMessageBytes = 65_536;
/** Until the bus has let us in, bytes: signing in takes some hundred, and the library gathers a line without an end. */
const mostHelloBytes = 65_536;
/** Nobody closes or clicks that many banners, in that time, ms. */
const mostMessages = 2_000;
const floodMs = 10_000;
/** Characters of an error that a daemon words. */
const longestDetail = 200;

/** By dbus-native, loaded at the first call: it costs 50 to 120 ms, and may be absent (then `unavailable`). */
export const openBus: OpenBus = async (paths, signal) => {
  const socket = await firstSocket(paths, signal);
  if (!socket.ok) return socket;
  const library = await loadLibrary();
  if (!library.ok) socket.value.destroy();
  return library.ok ? sayHello(library.value, socket.value, signal) : library;
};

async function loadLibrary(): Promise<Result<Library, BusFailure>> {
  const failure = { kind: "unavailable", noLibrary: true } as const;
  if (!hasPackage("dbus-native")) return fail({ ...failure, detail: "dbus-native is not installed" });
  try {
    const loaded = await import("dbus-native");
    return ok(loaded.default ?? loaded);
  } catch (error) {
    return fail({ ...failure, detail: `dbus-native cannot be loaded: ${String(error)}` });
  }
}

async function firstSocket(paths: readonly string[], signal: AbortSignal): Promise<Result<Socket, BusFailure>> {
  let last: BusFailure = { kind: "unavailable", detail: "no bus address in the environment" };
  for (const path of paths) {
    const socket = await connectTo(path, signal);
    if (socket.ok) return socket;
    last = socket.error;
  }
  return fail(last);
}

function connectTo(path: string, signal: AbortSignal): Promise<Result<Socket, BusFailure>> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const giveUp = guarded("bus", () => socket.destroy());
    const settle = (outcome: Result<Socket, BusFailure>) => {
      signal.removeEventListener("abort", giveUp); // it may be somebody's for as long as the process lives
      resolve(outcome);
    };
    socket.unref();
    const failed = guarded("bus", (error: Error) =>
      settle(fail({ kind: "unavailable", detail: `no bus: ${error.message}` })),
    );
    const connected = guarded("bus", () => {
      socket.unref(); // Bun refs it again when it connects
      settle(ok(socket));
    });
    const closed = guarded("bus", () => settle(fail({ kind: "lost", detail: "the bus closed the connection" })));
    socket.on("error", failed);
    socket.once("connect", connected);
    socket.once("close", closed);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp);
  });
}

/**
 * `direct` keeps the library from saying hello itself: it throws where nobody can catch it when the bus refuses.
 * EXTERNAL is the only way to sign in that needs no file of ours.
 */
async function sayHello(
  library: Library,
  stream: Socket,
  signal: AbortSignal,
): Promise<Result<SessionBus, BusFailure>> {
  const client = library.createClient({
    ...{ stream, direct: true, authMethods: ["EXTERNAL"], plainValues: true },
    maxMessageSize: mostMessageBytes,
  });
  const closed = createEnding();
  const end = guarded("bus", () => {
    closed.end();
    stream.destroy();
  });
  client.connection.on("error", end); // without a listener it is an uncaught exception
  client.connection.on("handlerError", () => {}); // as above: thrown by a listener of ours
  client.connection.on("end", end); // pending calls fail now, the close event comes later
  stream.on("close", end);
  const countBytes = guarded("bus", () => {
    if (stream.bytesRead > mostHelloBytes) end();
  });
  const countMessages = guarded("bus", endOfFlood(end));
  stream.on("readable", countBytes);
  client.connection.on("message", countMessages);
  signal.addEventListener("abort", end, { once: true });
  const bus = busOver(client, closed, end);
  const hello = await bus.call({ ...dbus, member: "Hello" });
  signal.removeEventListener("abort", end);
  stream.off("readable", countBytes);
  if (hello.ok) return ok(bus);
  end();
  return hello;
}

/** Each message costs the host some of its time: a bus that sends them without an end is left. */
function endOfFlood(end: () => void): () => void {
  let [count, since] = [0, performance.now()];
  return () => {
    count += 1;
    if (count <= mostMessages) return;
    if (performance.now() - since < floodMs) end();
    [count, since] = [0, performance.now()];
  };
}

function busOver(client: Client, closed: Ending, end: () => void): SessionBus {
  const listeners: [SignalRule, (signal: BusSignal) => void][] = [];
  // The library's own dispatch does not tell the sender, and anybody on the bus can send us a signal.
  const hear = guarded("bus", (message: Message) => {
    for (const [rule, on] of listeners) if (fits(message, rule)) on(signalOf(message));
  });
  client.connection.on("message", hear);
  const call = (what: BusCall) =>
    new Promise<Answer>((resolve) => {
      const settle = (answer: Answer) => {
        forget();
        resolve(answer);
      };
      let forget = () => {};
      forget = closed.onEnd(() => settle(fail({ kind: "lost", detail: "the bus is gone" })));
      if (closed.hasEnded()) return;
      invoke(client, what, settle);
    });
  return {
    call,
    listen(rule, on) {
      listeners.push([rule, on]);
      return call({ ...dbus, member: "AddMatch", signature: "s", body: [matchOf(rule)] });
    },
    onClose: (run) => closed.onEnd(run),
    close: end,
  };
}

/** D-Bus specification, message flags. */
const noAutoStart = 2;

function invoke(client: Client, { body, startNobody, ...what }: BusCall, settle: (answer: Answer) => void): void {
  const extra = { ...(body ? { body: [...body] } : {}), ...(startNobody ? { flags: noAutoStart } : {}) };
  try {
    client.invoke({ ...what, ...extra }, (error: unknown, ...values: unknown[]) =>
      settle(error ? fail(failureOf(error)) : ok(values)),
    );
  } catch (error) {
    settle(fail({ kind: "refused", detail: `cannot be sent: ${String(error)}` }));
  }
}

const nobody = [
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
  "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
];
const gone = ["org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected"];

function failureOf(error: unknown): BusFailure {
  const detail = cleanTitle(error instanceof Error ? error.message : String(error), longestDetail);
  const name =
    typeof error === "object" && error !== null && "dbusName" in error && typeof error.dbusName === "string"
      ? error.dbusName
      : "";
  if (nobody.includes(name)) return { kind: "unavailable", name, detail: "nobody shows notifications on this bus" };
  return { kind: gone.includes(name) ? "lost" : "refused", name, detail };
}

const matchOf = (rule: SignalRule): string =>
  `type='signal',sender='${rule.sender}',path='${rule.path}',interface='${rule.interface}'` +
  (rule.argument === undefined ? "" : `,arg0='${rule.argument}'`);

const signalType = 4;

const fits = (message: Message, rule: SignalRule): boolean =>
  message.type === signalType && message.path === rule.path && message.interface === rule.interface;

const signalOf = ({ sender = "", member = "", body = [] }: Message): BusSignal => ({ sender, member, body });
