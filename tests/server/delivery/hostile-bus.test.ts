import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runtimes } from "../../package/runtimes.ts";
import { printed, startChild } from "../../rig/host/child.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-hostile-bus-"));
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  await build({
    entryPoints: [fileURLToPath(new URL("./programs/ask-hostile-bus.ts", import.meta.url))],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["dbus-native"],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const signedIn = "OK 0123456789abcdef0123456789abcdef\r\n";
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
const field = (code: number, type: string, value: Buffer): Buffer =>
  padded(Buffer.concat([Buffer.from([code, 1]), Buffer.from(`${type}\0`), value]));
const text = (value: string): Buffer => Buffer.concat([u32(value.length), Buffer.from(`${value}\0`)]);

/** A message of the D-Bus specification: its type, its fields in the header, and a body of that signature. */
function message(type: number, fields: Buffer[], signature: string, body: Buffer): Buffer {
  const parts = [
    Buffer.from([8, 1]),
    Buffer.from("g\0"),
    Buffer.from([signature.length]),
    Buffer.from(`${signature}\0`),
  ];
  const all = Buffer.concat([...fields, ...parts]);
  return Buffer.concat([Buffer.from([0x6c, type, 0, 1]), u32(body.length), u32(7), u32(all.length), padded(all), body]);
}

/** The answer to the first call, which says hello. */
const hello = message(2, [field(5, "u", u32(1))], "s", text(":1.5"));
const signal = message(
  4,
  [field(1, "o", text("/a")), field(2, "s", text("a.b")), field(3, "s", text("C"))],
  "s",
  text("x"),
);
const bigReply = (length: number) =>
  message(2, [field(5, "u", u32(1))], "ay", Buffer.concat([u32(length), Buffer.alloc(length)]));

/** Sends for ever. */
function pump(socket: Socket, bytes: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

/** What a bus says at the beginning, to a hello, and once somebody wants to hear signals. */
type Bus = Partial<Record<"greets" | "answers" | "follows", (socket: Socket) => void>>;

async function startBus(name: string, { greets, answers, follows }: Bus) {
  const open = new Set<Socket>();
  const path = join(folder, `${name}-${Math.random().toString(36).slice(2)}`);
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    let heard = "";
    let said = 0;
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      const steps: [string, Bus[keyof Bus]][] = [
        ["AUTH", greets ?? ((to) => void to.write(signedIn))],
        ["Hello", answers],
        ["AddMatch", follows],
      ];
      for (const [what, say] of steps.slice(said)) {
        if (!heard.includes(what)) break;
        said += 1;
        say?.(socket);
      }
    });
  });
  await new Promise<void>((up) => server.listen(path, up));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { path, open: () => open.size };
}

describe.each(runtimes())("in $name a bus", ({ program, args, env }) => {
  test.each<[string, Bus, unknown]>([
    ["greets with a line without an end", { greets: (to) => pump(to, Buffer.alloc(65_536, "x")) }, { kind: "lost" }],
    ["answers with 100 MB", { answers: (to) => to.write(bigReply(1e8)) }, { kind: "lost" }],
    [
      "sends signals without an end",
      { answers: (to) => to.write(hello), follows: (to) => pump(to, Buffer.concat(Array<Buffer>(500).fill(signal))) },
      "in",
    ],
  ])("that %s costs next to nothing, and is left", async (_, how, came) => {
    const [good, bad] = [await startBus("good", { answers: (to) => to.write(hello) }), await startBus("bad", how)];
    const child = startChild(program, [...args, join(folder, "ask-hostile-bus.mjs")], {
      cwd: folder,
      env: { ...env, PATH: process.env.PATH ?? "", GOOD: good.path, BAD: bad.path },
    });
    onTestFinished(async () => void (await child.end()));
    const [line] = await printed(child, /^\{.*\}$/m);
    await waitUntil("the connection to be closed", () => bad.open() === 0);
    const said: { came: unknown; grownMB: number } = JSON.parse(line);
    if (typeof came === "string") expect(said.came).toBe(came);
    else expect(said.came).toMatchObject({ kind: "lost" });
    expect(said.grownMB).toBeLessThan(48);
    expect(child.stderr()).toBe("");
  });
});
