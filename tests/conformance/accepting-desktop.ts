import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as dbus from "dbus-native";
import { startPrivateBus } from "../rig/desktop/private-bus.ts";

const name = "org.freedesktop.Notifications";
const path = "/org/freedesktop/Notifications";

/**
 * A session bus with a notification service that takes everything and shows nothing. It lives in the test's own
 * process, so that a machine that is busy elsewhere cannot make it late: for what was decided, not for what was shown.
 */
export async function startAcceptingDesktop() {
  const folder = mkdtempSync(join(tmpdir(), "beckon-bus-"));
  const bus = await startPrivateBus(join(folder, "run"), { PATH: process.env.PATH ?? "" });
  const stream = connect({ path: bus.address.replace(/^unix:path=/, "").replace(/,.*/, "") });
  const client = dbus.createClient({ stream, plainValues: true });
  client.connection.on("error", () => {});
  let last = 0;
  const closed = (id: unknown) => client.sendSignal(path, name, "NotificationClosed", "uu", [Number(id), 3]);
  const answers: Record<string, (body: unknown[]) => [signature: string, body: unknown[]]> = {
    GetCapabilities: () => ["as", [["body", "actions"]]],
    GetServerInformation: () => ["ssss", ["accepting", "beckon", "1", "1.2"]],
    Notify: ([, replaces]) => ["u", [Number(replaces) || ++last]],
    CloseNotification([id]) {
      closed(id);
      return ["", []];
    },
  };
  await new Promise<void>((resolve, reject) => {
    void client.requestName(name, 0, (error: unknown) => (error ? reject(error) : resolve()));
  });
  // The library answers one value a call only; GetServerInformation gives four.
  client.connection.removeAllListeners("message");
  client.connection.on("message", (message) => {
    const answer = message.type === 1 && message.interface === name ? answers[message.member ?? ""] : undefined;
    if (answer !== undefined) client.sendReply(message, ...answer(message.body ?? []));
  });
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: bus.address, DISPLAY: ":none" },
    async close() {
      stream.destroy();
      await bus.child.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
