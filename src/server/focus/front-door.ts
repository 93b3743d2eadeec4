import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { normalize } from "node:path";
import { atExit } from "../../shared/at-exit.ts";
import { guarded } from "../../shared/guard.ts";
import { relayPath } from "../../shared/protocol.ts";
import { mayBeSocketPath, spareSocketFolder, unixURL } from "../../shared/rendezvous.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { makeOurs } from "./own-folder.ts";

export type FrontDoor = {
  url: string;
  /** Why this is a port that every user of the machine can knock at, and not a unix socket; undefined when it is one. */
  whyTCP: string | undefined;
  /** False when the socket's file is gone or another one by now: nobody new gets in by it. */
  isThere(): Promise<boolean>;
  /** Takes no more. Who is in stays in. */
  close(): void;
};

export type FrontDoorDeps = {
  /** Folders of ours a socket may lie in, best first. */
  folders: readonly string[];
  /** A port on loopback, whatever else there is. */
  onlyTCP: boolean;
  /** Gets every connection from its first byte on; nothing of it is read before. */
  accept(socket: Socket): void;
};

export type FrontDoorFailure = { kind: "cannot-listen"; detail: string };

/**
 * Listens where no other user can knock, if it can: at a unix socket in a folder that is ours alone. Else at a port of
 * 127.0.0.1, any.
 */
export async function openFrontDoor(deps: FrontDoorDeps): Promise<Result<FrontDoor, FrontDoorFailure>> {
  const uid = process.getuid?.();
  if (deps.onlyTCP) return openPort(deps, "BECKON_TRANSPORT is tcp");
  if (uid === undefined) return openPort(deps, "this platform has no unix sockets that every program here can use");
  const reasons: string[] = [];
  for (const folder of [...deps.folders, spareSocketFolder(uid)]) {
    const door = await openSocket(normalize(folder), deps).catch((error: unknown) => fail(words(error)));
    if (door.ok) return door;
    reasons.push(`${folder}: ${door.error}`);
  }
  return openPort(deps, reasons.join("; "));
}

async function openSocket(folder: string, { accept }: FrontDoorDeps): Promise<Result<FrontDoor, string>> {
  // A name of its own each time: whoever closes an old one removes nothing of the new one.
  const path = `${folder.replace(/\/$/, "")}/${randomBytes(8).toString("hex")}.sock`;
  if (!mayBeSocketPath(path)) return fail("a socket's path has at most 100 bytes of A-Z a-z 0-9 . _ / -");
  await makeOurs(folder); // from here on nobody else can reach what is in it, whatever its own mode is until it is set
  const server = createServer(accept);
  const listening = await listen(server, { path });
  if (!listening.ok) return listening;
  const facts = await chmod(path, 0o600).then(
    () => lstat(path),
    () => undefined,
  );
  if (facts?.isSocket() !== true) {
    server.close();
    return fail("a socket was made, and is not there"); // a path too long for the system, says Node
  }
  const remove = () => {
    try {
      rmSync(path, { force: true });
    } catch {} // its folder is gone or nobody's any more
  };
  const forgetAtExit = atExit(remove);
  return ok({
    url: unixURL(path),
    whyTCP: undefined,
    async isThere() {
      const now = await lstat(path).catch(() => undefined);
      return now?.ino === facts.ino && now.dev === facts.dev;
    },
    close() {
      server.close();
      forgetAtExit();
      remove();
    },
  });
}

async function openPort({ accept }: FrontDoorDeps, whyTCP: string): Promise<Result<FrontDoor, FrontDoorFailure>> {
  const server = createServer(accept);
  const listening = await listen(server, { port: 0, host: "127.0.0.1" });
  if (!listening.ok) return fail({ kind: "cannot-listen", detail: listening.error });
  const address = server.address();
  if (address === null || typeof address !== "object") return fail({ kind: "cannot-listen", detail: "no port" });
  return ok({
    url: `ws://127.0.0.1:${address.port}${relayPath}`,
    whyTCP,
    isThere: async () => true,
    close: () => void server.close(),
  });
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function listen(server: Server, where: ListenOptions): Promise<Result<void, string>> {
  return new Promise((answer) => {
    const failed = guarded("relay", (error: Error) => answer(fail(error.message)));
    server.once("error", failed);
    server.listen(where, () => {
      server.off("error", failed);
      server.on("error", () => {}); // a socket that could not be accepted
      server.unref();
      answer(ok(undefined));
    });
  });
}
