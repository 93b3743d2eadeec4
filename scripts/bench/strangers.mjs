// What a stranger without a token can do to the real opencode 1.18: its API under each flood at our relay, beside the same
// flood at a bare listener in the same process, interleaved.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadTypeScript } from "../rig/load-typescript.mjs";
import { percentile } from "./percentile.mjs";
import { absent, row } from "./row.mjs";

const floods = {
  huge: "unfinished frames of 15 MB",
  pongs: "pongs",
  pings: "pings",
  empties: "empty pieces",
  connects: "3,000 connects, again and again",
  slow: "500 requests that drip in",
  half: "500 half-open connections",
};
const rounds = 5;
const calls = 500;
/** A flood at the bare listener can make each call wait so long that 500 would take minutes. */
const mostMs = 4_000;
const nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
const stranger = readFileSync(fileURLToPath(new URL("child/stranger.mjs", import.meta.url)), "utf8");
const isRoot = process.getuid?.() === 0;

export async function rows() {
  const parts = await loadTypeScript("scripts/bench/child/stranger-host.ts");
  const found = [];
  for (const transport of ["tcp", "unix"]) {
    const stage = await open(parts, transport);
    try {
      const whos = transport === "tcp" ? ["another user", "the same user"] : ["another user"];
      for (const who of whos) found.push(...(await measure(stage, transport, who)));
    } finally {
      await stage.close();
    }
  }
  return found;
}

async function measure(stage, transport, who) {
  const group = `a stranger (${who}, ${transport})`;
  if (who === "another user" && !isRoot) return [absent(group, "all", "needs root: setpriv to another user")];
  const found = [];
  process.stderr.write(`  ${group}\n`);
  for (const [kind, name] of Object.entries(floods)) {
    const runs = { ours: [], bare: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const at of ["ours", "bare"]) runs[at].push(await under(stage, stage.targets[at], kind, who));
    const middle = (at, what) =>
      percentile(
        runs[at].map((run) => run[what]),
        0.5,
      );
    const [value, baseline] = [middle("ours", "p99"), middle("bare", "p99")];
    process.stderr.write(
      `  ${kind}: p99 ${value.toFixed(1)} ms, bare ${baseline.toFixed(1)} ms; grown ${middle("ours", "grown").toFixed(1)} MiB\n`,
    );
    found.push(row({ group, name: `${name}: p99 of ${calls} API calls`, value, baseline, unit: "ms", mostRatio: 2 }));
    found.push(
      row({
        group,
        name: `${name}: memory grown by`,
        value: middle("ours", "grown"),
        baseline: undefined,
        unit: "MiB",
        most: 32,
      }),
    );
  }
  return found;
}

async function under(stage, target, kind, who) {
  const before = stage.rss();
  const argv = [process.execPath, "--input-type=module", "-e", stranger, target, kind];
  const [program, ...args] = who === "another user" ? ["setpriv", ...nobody, ...argv] : argv;
  const flood = spawn(program, args, { cwd: "/", stdio: "ignore" });
  await sleep(500);
  const took = [];
  let most = before;
  const until = performance.now() + mostMs;
  for (let call = 0; call < calls && performance.now() < until; call += 1) {
    took.push(await stage.call());
    if (call % 10 === 0) most = Math.max(most, stage.rss());
    await sleep(1);
  }
  const gone = new Promise((done) => flood.once("exit", done));
  flood.kill("SIGKILL");
  await gone;
  await sleep(500);
  return { p99: percentile(took, 0.99), grown: (most - before) / 1_048_576 };
}

async function open({ startRealHost, packageRoot, findRelay, waitFor, unixPath }, transport) {
  const folder = mkdtempSync(join(tmpdir(), "beckon-strangers-"));
  chmodSync(folder, 0o755);
  const host = await startRealHost({
    plugins: [packageRoot(), fileURLToPath(new URL("child/bare-listener.mjs", import.meta.url))],
    env: { BECKON_BENCH_BARE: folder, ...(transport === "tcp" && { BECKON_TRANSPORT: "tcp" }) },
  });
  await host.newSession();
  const { url, pid } = await waitFor("a relay", () => findRelay(host.home));
  await waitFor(
    "the bare listener",
    () => (existsSync(`${folder}/port`) && existsSync(`${folder}/bare.sock`)) || undefined,
  );
  const agent = new Agent({ keepAlive: true });
  const call = () =>
    new Promise((done, failed) => {
      const from = performance.now();
      get(`${host.server.url}/path`, { agent }, (response) =>
        response.resume().on("end", () => done(performance.now() - from)),
      ).on("error", failed);
    });
  for (let warm = 0; warm < 1_000; warm += 1) await call();
  return {
    targets:
      transport === "tcp"
        ? { ours: new URL(url).port, bare: readFileSync(`${folder}/port`, "utf8") }
        : { ours: unixPath(url), bare: `${folder}/bare.sock` },
    call,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024,
    async close() {
      agent.destroy();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
