import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineFile } from "../../src/server/files/append-lines.ts";
import { prune } from "../../src/server/focus/prune.ts";
import { createRealTools } from "../../src/server/runtime/real-tools.ts";
import { createRuntime } from "../../src/server/runtime/runtime.ts";
import { readFolders } from "../../src/tui/find-relays.ts";
import { createBench } from "../server/cli/command-bench.ts";

/** Below the home folder: every file that a command, a tool or the terminal part reads. */
const places = [
  ...["config.json", "config.json.lock", "config.json.lock.break"].map((name) => `.config/opencode-beckon/${name}`),
  ...["journal.jsonl", "journal.jsonl.1", "journal.jsonl.lock", "beckon.log", "mute.json"].map(inState),
  ...["install.json", "install.json.lock", "backups", "backups/opencode.json.0a1b2c3d"].map(inState),
  ...["relays", "relays/aaaaaaaaaaaaaaaa.json", "relays/bbbbbbbbbbbbbbbb.json", "relays/0123456789abcdef.sock"].map(
    inState,
  ),
  ...["opencode.json", "opencode.jsonc", "tui.json", "cli.json", "plugin/x.js", "plugins/y/index.js"].map(inGlobal),
  ...["opencode-notifier.json", "kdco-notify.json", "smart-voice-notify.jsonc"].map(inGlobal),
  ...["opencode.json", "tui.json", ".opencode", ".opencode/opencode.json", ".opencode/tui.json"].map(inProject),
  ...["package.json", "listed/package.json", "trace.jsonl", ".git"].map(inProject),
];
function inState(name: string): string {
  return `.local/state/opencode-beckon/${name}`;
}
function inGlobal(name: string): string {
  return `.config/opencode/${name}`;
}
function inProject(name: string): string {
  return `project/${name}`;
}

const devices = ["/dev/zero", "/dev/random", "/dev/full", "/dev/tty", "/proc/kmsg", "/proc/self/mem", "nowhere", "."];
const listing = JSON.stringify({ plugin: ["./listed", "../../project/listed"], attention: { enabled: true } });
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom("", "\uFEFF{}", "{}", "[]", "null", listing, `// ${listing}\n{}`, '{"plugin":"x"}', '{"files":5}'),
  fc.constantFrom("[", '{"a":', '{"plugin":[').map((open) => open.repeat(200_000)),
  fc.constantFrom(40, 3_000).map((depth) => `{"plugin":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  fc.constantFrom(300_000, 2_000_000, 20_000_000).map((size) => `{"a":"${"x".repeat(size)}"}`),
  fc.constant(Buffer.from(listing, "utf16le")),
  fc.json().map((text) => `${text}\n`.repeat(3)),
);
const kinds = fc.oneof(
  fc.record({ kind: fc.constant("file" as const), content: contents, mode: fc.constantFrom(0o600, 0o644, 0o444) }),
  fc.record({ kind: fc.constant("link" as const), target: fc.constantFrom(...devices) }),
  fc.record({ kind: fc.constantFrom("pipe" as const, "socket" as const, "folder" as const, "nothing" as const) }),
);
type Planted = { path: string; what: typeof kinds extends fc.Arbitrary<infer T> ? T : never };
const plantings = fc
  .tuple(...places.map(() => kinds))
  .map((all): Planted[] => places.flatMap((path, at) => (all[at] === undefined ? [] : [{ path, what: all[at] }])));

/** What cannot be made, because something else already stands on the way, is left out. */
function plant(home: string, { path, what }: Planted, ends: (() => void)[]): void {
  const at = join(home, path);
  try {
    mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
    if (what.kind === "file") writeFileSync(at, what.content, { mode: what.mode });
    if (what.kind === "link") symlinkSync(what.target, at);
    if (what.kind === "pipe") execFileSync("mkfifo", ["-m", "600", at], { stdio: "ignore" });
    if (what.kind === "folder") mkdirSync(at);
    if (what.kind === "socket") {
      const server = createServer().on("error", () => {});
      server.listen(at).unref();
      ends.push(() => server.close());
    }
    if (what.kind === "file" && path.includes(".lock")) utimesSync(at, 0, 0); // a fresh one is rightly waited for
  } catch {
    // such as a file below a pipe
  }
}

const commands = [
  ...["status", "doctor", "doctor --json", "why", "mute", "mute 5m", "mute off", "test --channel terminal"],
  ...["config check", "config get", "config set locale de", "config init", "replay project/trace.jsonl"],
  ...["opencode-notifier", "opencode-notify", "smart-voice-notify"].map(
    (plugin) => `config import ${plugin} --dry-run`,
  ),
  ...["install --line 1", "install --line 2 --project", "uninstall", "uninstall --project"],
].map((line) => line.split(" "));

/** What product says a command or a tool may take at most. */
const ceilingMs = 5_000;

async function endOf<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended after 5 s`)), ceilingMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

test("whatever stands where we read, every command ends with an answer and every tool with a text", async () => {
  await fc.assert(
    fc.asyncProperty(plantings, async (planted) => {
      using bench = createBench();
      const ends: (() => void)[] = [];
      try {
        for (const one of planted) plant(bench.home, one, ends);
        for (const args of commands) {
          const { code } = await endOf(args.join(" "), bench.run(args, { cwd: join(bench.home, "project") }));
          expect([0, 1, 2], args.join(" ")).toContain(code);
        }
        await callTools(bench);
        await writeAndLook(bench.home);
      } finally {
        for (const end of ends) end();
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

async function callTools({ env, home, cwd }: ReturnType<typeof createBench>): Promise<void> {
  const place = { env, platform: "linux", home };
  const missing = () => Promise.reject(new Error("no such session"));
  const queries = { host: { session: missing, messages: missing }, directories: () => [cwd] };
  const running = createRuntime(
    { line: "v1", place, pid: process.pid, oneShot: true },
    { left: undefined, queries, results: () => {} },
  );
  try {
    for (const tool of createRealTools(place, () => running)) {
      const args = tool.name === "beckon_config_set" ? { locale: "de" } : {};
      if (tool.name === "beckon_notify_user") continue; // its programs are another test's
      expect(typeof (await endOf(tool.name, tool.run(args, { sessionID: "ses_a" })))).toBe("string");
    }
  } finally {
    running.stop({ last: true });
  }
}

/** The terminal part's look, and the lines of a process that goes on and of one that ends. */
async function writeAndLook(home: string): Promise<void> {
  const relays = join(home, inState("relays"));
  await endOf("looking for relays", readFolders([relays]));
  await endOf("tidying up", prune([relays], Date.now()));
  const file = createLineFile({ path: join(home, inState("journal.jsonl")), rotateBytes: 1, onFailure: () => {} });
  file.append("a line");
  await endOf("appending", file.flush());
  file.appendNow("the last line");
  rmSync(relays, { recursive: true, force: true });
}
