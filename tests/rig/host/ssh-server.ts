import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../server/delivery/processes.ts";
import { printed, startChild } from "./child.ts";
import { shellWord } from "./shell-words.ts";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";
import { waitFor, waitUntil } from "./wait-for.ts";

/** A machine reached by ssh: the real sshd on loopback, with keys of its own, for the user who runs the tests. */
export type SshServer = {
  /** A terminal here, with this program in a login over there, on a pty of that side. `pid` is the program's. */
  login(argv: string[], options: TerminalOptions): Promise<Terminal>;
  close(): Promise<void>;
};

export async function startSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-ssh-"));
  const [hostKey, ownKey] = [newKey(folder, "host"), newKey(folder, "own")];
  writeFileSync(join(folder, "authorized"), readFileSync(`${ownKey}.pub`), { mode: 0o600 });
  if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 }); // root's sshd insists on it
  const port = await freePort();
  const config = writeConfig(folder, hostKey, port);
  const server = startChild("/usr/sbin/sshd", ["-D", "-e", "-f", config], { cwd: folder, env: {} });
  const close = async () => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await printed(server, /Server listening/);
  } catch (error) {
    await close();
    throw error;
  }

  async function login(argv: string[], { cwd, env, ...window }: TerminalOptions): Promise<Terminal> {
    const client = ["/usr/bin/ssh", ...clientOptions(folder, ownKey, port), command(argv, cwd, env)];
    const here = { PATH: process.env.PATH ?? "", HOME: folder };
    const terminal = await openTerminal(client, { ...window, cwd: folder, env: here });
    const [, pid] = await waitFor(
      () => `a login; ${terminal.output()}${server.stderr()}`,
      () => /login (\d+)/.exec(terminal.output()) ?? undefined,
    );
    return { ...terminal, pid: Number(pid), end: () => endLogin(terminal, Number(pid)) };
  }
  return { login, close };
}

/** TERM is left to the pty: that is what travels. */
function command(argv: string[], cwd: string, { TERM: _, ...env }: Record<string, string>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `cd ${shellWord(cwd)} && echo login $$ && exec env ${[...variables, ...argv.map(shellWord)].join(" ")}`;
}

/** The line breaks; the program over there hears a hang-up, and is ended if it does not obey. */
async function endLogin(terminal: Terminal, pid: number): ReturnType<Terminal["end"]> {
  const exit = await terminal.end();
  const late = setTimeout(() => isAlive(pid) && process.kill(pid, "SIGKILL"), 5_000);
  await waitUntil(`the end of ${pid}, which was logged in`, () => !isAlive(pid));
  clearTimeout(late);
  return exit;
}

function newKey(folder: string, name: string): string {
  const file = join(folder, name);
  const made = spawnSync("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`ssh-keygen: ${made.stderr}`);
  return file;
}

function writeConfig(folder: string, hostKey: string, port: number): string {
  const file = join(folder, "sshd_config");
  const lines = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: hostKey,
    AuthorizedKeysFile: join(folder, "authorized"),
    PidFile: "none",
    StrictModes: "no", // the folder lies below /tmp
    UsePAM: "no",
    PasswordAuthentication: "no",
    PermitRootLogin: "prohibit-password",
    PrintMotd: "no",
    SetEnv: `HOME=${folder}`, // the person's own shell start-up files are not part of the test
  };
  writeFileSync(
    file,
    Object.entries(lines)
      .map((pair) => `${pair.join(" ")}\n`)
      .join(""),
  );
  return file;
}

const clientOptions = (folder: string, key: string, port: number): string[] => {
  const options = {
    IdentityFile: key,
    IdentitiesOnly: "yes",
    UserKnownHostsFile: join(folder, "known"),
    StrictHostKeyChecking: "no",
    LogLevel: "ERROR",
  };
  const all = Object.entries(options).flatMap((pair) => ["-o", pair.join("=")]);
  return ["-F", "none", "-tt", "-p", String(port), ...all, `${userInfo().username}@127.0.0.1`];
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const address = server.address();
  await new Promise<void>((closed) => server.close(() => closed()));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
