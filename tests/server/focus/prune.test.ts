import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prune } from "../../../src/server/focus/prune.ts";
import { bundle } from "../../rig/bundle.ts";

/** Above every real pid: the kernel's limit is 2^22. */
const deadPid = 2 ** 30;
let folder: string;
let server: Server;
let listening: number;

beforeAll(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await new Promise((up) => server.once("listening", up));
  const address = server.address();
  listening = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => void server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-prune-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Port 1 of loopback refuses. */
function put(id: string, { pid = process.pid, port = 1, startedAt = Date.now(), socket = "" } = {}) {
  const name = `${id.repeat(16)}.json`;
  const said = {
    url: socket === "" ? `ws://127.0.0.1:${port}/focus` : `ws+unix://${join(folder, socket)}:/focus`,
    token: "t",
    pid,
    startedAt,
    line: "v1",
    directories: [],
    protocol: 1,
  };
  writeFileSync(join(folder, name), JSON.stringify(said));
  return name;
}
const left = async () => {
  await prune([folder, join(folder, "not there")], Date.now());
  return readdirSync(folder).sort();
};

describe("pruning", () => {
  test("removes the file of a process that is gone and whose address refuses", async () => {
    put("a", { pid: deadPid });
    expect(await left()).toEqual([]);
  });

  test.runIf(process.platform === "linux")("removes the file whose pid is another process by now", async () => {
    put("a", { startedAt: Date.now() - 30 * 86_400_000 });
    expect(await left()).toEqual([]);
  });

  test("leaves alone what somebody still answers at, and what a living process may come back to", async () => {
    const names = [put("a", { pid: deadPid, port: listening }), put("b")];
    expect(await left()).toEqual(names);
  });

  test("leaves alone what it does not understand, and follows no link out of the folder", async () => {
    writeFileSync(join(folder, "notes.json"), "{}");
    writeFileSync(join(folder, `${"c".repeat(16)}.json`), "half a descr");
    symlinkSync("/nowhere", join(folder, `${"d".repeat(16)}.json`));
    expect(await left()).toHaveLength(3);
  });

  test.runIf(process.platform === "linux")("is held up by nothing that only looks like such a file", async () => {
    const path = (id: string) => join(folder, `${id.repeat(16)}.json`);
    execFileSync("mkfifo", [path("a")]);
    symlinkSync("/dev/zero", path("b"));
    writeFileSync(path("c"), "");
    truncateSync(path("c"), 2 ** 30);
    put("d", { pid: deadPid });
    try {
      expect(await left()).toHaveLength(3);
    } finally {
      closeSync(openSync(path("a"), constants.O_RDWR)); // whoever still reads there may go on
    }
  });

  test.runIf(process.platform === "linux")("of a thousand files leaves the process its own", async () => {
    for (let n = 1_000; n < 2_000; n += 1) put(String(n), { pid: deadPid });
    const part = await bundle(new URL("../../../src/server/focus/prune.ts", import.meta.url));
    const script = `await (await import(${JSON.stringify(part)})).prune([${JSON.stringify(folder)}], Date.now())`;
    const argv = ["-c", 'ulimit -n 64 && exec "$0" "$@"', process.execPath, "--input-type=module", "-e", script];
    execFileSync("/bin/sh", argv, { stdio: "pipe" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("removes drafts of a process that was killed while writing, but not those of right now", async () => {
    writeFileSync(join(folder, ".old.json.x.tmp"), "");
    writeFileSync(join(folder, ".new.json.x.tmp"), "");
    utimesSync(join(folder, ".old.json.x.tmp"), 1, 1);
    expect(await left()).toEqual([".new.json.x.tmp"]);
  });

  describe.runIf(process.getuid !== undefined)("of sockets", () => {
    const name = `${"0".repeat(16)}.sock`;
    /** What a process leaves that is killed while it listens. */
    function leave(socket: string): void {
      const script = `require("net").createServer().listen(${JSON.stringify(join(folder, socket))}, () => process.kill(process.pid, "SIGKILL"))`;
      spawnSync(process.execPath, ["-e", script]);
      expect(readdirSync(folder)).toContain(socket);
    }
    async function listenAt(socket: string): Promise<Server> {
      const live = createServer().listen(join(folder, socket));
      await new Promise((up) => live.once("listening", up));
      return live;
    }

    test("removes the one a dead relay left, with its file", async () => {
      leave(name);
      put("a", { pid: deadPid, socket: name });
      expect(await left()).toEqual([]);
    });

    test("removes the file of a dead relay whose socket is gone, too", async () => {
      put("a", { pid: deadPid, socket: name });
      expect(await left()).toEqual([]);
    });

    test("leaves alone the one somebody listens at, whatever its file says, and however old it is", async () => {
      const live = await listenAt(name);
      utimesSync(join(folder, name), 1, 1);
      const file = put("a", { pid: deadPid, socket: name });
      expect(await left()).toEqual([name, file]);
      live.close();
    });

    test("removes an old one no file tells of, but not one of right now", async () => {
      leave(name);
      expect(await left()).toEqual([name]);
      utimesSync(join(folder, name), 1, 1);
      expect(await left()).toEqual([]);
    });

    test("removes nothing else a file may name", async () => {
      writeFileSync(join(folder, "precious"), "");
      writeFileSync(join(folder, name), "no socket");
      put("a", { pid: deadPid, socket: "precious" });
      put("b", { pid: deadPid, socket: name });
      expect((await left()).filter((file) => !file.endsWith(".json"))).toEqual([name, "precious"]);
    });
  });
});
