// Stands where a desktop's notification daemon stands and prints `<body> <ns>` when a Notify call has arrived.
import dbus from "dbus-native";

const name = "org.freedesktop.Notifications";
const bus = dbus.sessionBus();
let shown = 1;
const service = {
  Notify: (...call) => {
    console.log(`${call[4]} ${process.hrtime.bigint()}`);
    shown += 1;
    return shown;
  },
  CloseNotification: () => {},
  GetCapabilities: () => ["actions", "body"],
  GetServerInformation: () => ["bench", "bench", "1", "1.2"],
};
const methods = {
  Notify: ["susssasa{sv}i", "u"],
  CloseNotification: ["u", ""],
  GetCapabilities: ["", "as"],
  GetServerInformation: ["", "ssss"],
};
bus.exportInterface(service, "/org/freedesktop/Notifications", { name, methods, signals: {} });
await bus.requestName(name, 0);
console.log("ready");
