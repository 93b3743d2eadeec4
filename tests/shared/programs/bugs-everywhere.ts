// Meets a bug on every kind of way into our code, and says which of them the log was told of. Run under each runtime.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { atExit } from "../../../src/shared/at-exit.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { guarded, tellBugsTo, unattended } from "../../../src/shared/guard.ts";

const ways = ["timer", "promise", "async listener", "socket", "signal", "child", "immediate"];
const told = new Set<string>();
tellBugsTo((line) => {
  told.add(line.slice(0, line.indexOf(":")));
  if (told.size === ways.length && ways.every((way) => told.has(way))) end();
});
const bug = (): never => {
  throw new Error("a bug of ours");
};

atExit(bug);
atExit(() => process.stdout.write("the next deed has its turn\n"));

systemClock.after(0, bug);
unattended("promise", Promise.resolve().then(bug));
guarded("async listener", async () => bug())();
setImmediate(guarded("immediate", bug));

const stop = new AbortController();
stop.signal.addEventListener("abort", guarded("signal", bug));
stop.abort();

const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.end("x");
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address !== "object" || address === null) return;
  connect(address.port, "127.0.0.1").on("data", guarded("socket", bug));
});

spawn(process.execPath, ["--version"], { stdio: "ignore" }).on("close", guarded("child", bug));

const hold = setTimeout(() => process.exit(3), 30_000);
function end(): void {
  clearTimeout(hold);
  server.close();
  process.stdout.write(`${JSON.stringify([...told].sort())}\n`);
}
