import { expect, test } from "vitest";
import { configPath, type Place, relayDirs, runtimeDir, stateDir } from "../../../src/server/config/location.ts";

const at = (env: Place["env"] = {}, platform = "linux"): Place => ({ env, platform, home: "/home/u" });

test("without any variable everything lies in the home folder, on every platform", () => {
  for (const platform of ["linux", "darwin", "freebsd"]) {
    expect(configPath(at({}, platform))).toBe("/home/u/.config/opencode-beckon/config.json");
    expect(stateDir(at({}, platform))).toBe("/home/u/.local/state/opencode-beckon");
    expect(runtimeDir(at({}, platform))).toBe("/home/u/.local/state/opencode-beckon");
  }
  expect(configPath({ env: {}, platform: "win32", home: "C:\\Users\\u" })).toBe(
    "C:\\Users\\u\\.config\\opencode-beckon\\config.json",
  );
});

test("the XDG variables move it", () => {
  const place = at({ XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_RUNTIME_DIR: "/run/user/1" });
  expect(configPath(place)).toBe("/c/opencode-beckon/config.json");
  expect(stateDir(place)).toBe("/s/opencode-beckon");
  expect(runtimeDir(place)).toBe("/run/user/1/opencode-beckon");
});

test("an empty or relative XDG variable is ignored, as the specification says", () => {
  const place = at({ XDG_CONFIG_HOME: "", XDG_STATE_HOME: "state", XDG_RUNTIME_DIR: "run" });
  expect(configPath(place)).toBe("/home/u/.config/opencode-beckon/config.json");
  expect(stateDir(place)).toBe("/home/u/.local/state/opencode-beckon");
  expect(runtimeDir(place)).toBe(stateDir(place));
});

test("our own variables name the exact place", () => {
  const place = at({ BECKON_CONFIG: "/x/my.json", BECKON_STATE_DIR: "/x/state", BECKON_RUNTIME_DIR: "/x/run" });
  expect(configPath(place)).toBe("/x/my.json");
  expect(stateDir(place)).toBe("/x/state");
  expect(relayDirs(place)).toEqual(["/x/run/relays", "/x/state/relays"]);
});

test("relays are announced in the runtime and the state folder, each once", () => {
  expect(relayDirs(at({ XDG_RUNTIME_DIR: "/run/user/1" }))).toEqual([
    "/run/user/1/opencode-beckon/relays",
    "/home/u/.local/state/opencode-beckon/relays",
  ]);
  expect(relayDirs(at())).toEqual(["/home/u/.local/state/opencode-beckon/relays"]);
});
