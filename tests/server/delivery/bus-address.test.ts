import { expect, test } from "vitest";
import { sessionBusPaths, socketPaths, systemBusPaths } from "../../../src/server/delivery/bus-address.ts";

test.each([
  ["unix:path=/run/user/1000/bus", ["/run/user/1000/bus"]],
  ["unix:path=/tmp/a,guid=0123", ["/tmp/a"]],
  ["unix:abstract=/tmp/dbus-x,guid=1", ["\0/tmp/dbus-x"]],
  ["unix:path=/tmp/with%20blank%2cand%3bmore", ["/tmp/with blank,and;more"]],
  ["unix:path=/a;unix:path=/b", ["/a", "/b"]],
  ["tcp:host=localhost,port=1;unix:path=/b", ["/b"]],
  ["unixexec:path=/bin/sh,argv1=-c", []],
  ["autolaunch:", []],
  ["launchd:env=X", []],
  ["unix:path=%zz", []],
  ["unix:", []],
  ["", []],
])("the address %j leads to %j", (address, paths) => {
  expect(socketPaths(address)).toEqual(paths);
});

test("the session bus is what the environment names, else systemd's, else none", () => {
  expect(sessionBusPaths({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/a", XDG_RUNTIME_DIR: "/run/user/1" })).toEqual(["/a"]);
  expect(sessionBusPaths({ XDG_RUNTIME_DIR: "/run/user/1" })).toEqual(["/run/user/1/bus"]);
  expect(sessionBusPaths({})).toEqual([]);
});

test("the system bus is in its usual places unless the environment names another", () => {
  expect(systemBusPaths({})).toEqual(["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]);
  expect(systemBusPaths({ DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/b" })).toEqual(["/b"]);
});
