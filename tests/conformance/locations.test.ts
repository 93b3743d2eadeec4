import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../rig/host/wait-for.ts";
import { folderWith, tellingPlugin, toldLines } from "./plugins.ts";
import { type ProcessOptions, startProcess } from "./server-process.ts";
import { idleMs } from "./sweeper.ts";

function processWith(plugin: string, options: ProcessOptions = {}) {
  const server = startProcess({
    globalConfig: folderWith({ "opencode.json": { plugins: [plugin] } }),
    ...options,
  });
  onTestFinished(() => server.stop());
  return server;
}

const telling = (extra = "") => folderWith({ "index.js": tellingPlugin("acme", extra) });

test("a plugin is set up once a location, when that is first used; its module is evaluated once", async () => {
  const told = toldLines();
  const server = processWith(telling());
  expect(told).toEqual([]);
  const [a, b] = [folderWith(), folderWith()];
  await server.use({ directory: a });
  await server.use({ directory: b });
  await server.use({ directory: a });
  expect(told).toEqual([`setup acme ${basename(a)} 1 {}`, `setup acme ${basename(b)} 2 {}`]);
});

test("every instance hears every event of the process, whatever its location", async () => {
  const told = toldLines();
  const server = processWith(telling());
  const [a, b] = [folderWith(), folderWith()];
  await server.use({ directory: b });
  await server.api.create({ location: { directory: a } });
  await waitFor("both", () => told.filter((line) => line.endsWith("heard session.created")).at(1));
  expect(told.filter((line) => line.includes("heard")).toSorted()).toEqual(
    [`${basename(a)} heard session.created`, `${basename(b)} heard session.created`].toSorted(),
  );
});

test("a location that is used first by the session itself may miss its first event", async () => {
  const told = toldLines();
  const server = processWith(telling(), { activation: "late" });
  const directory = folderWith();
  const { id } = await server.api.create({ location: { directory } });
  await server.api.prompt({ sessionID: id, text: "[plain]" });
  await server.api.wait(id);
  await waitFor("the end", () => told.find((line) => line.includes("execution.succeeded")));
  expect(told.some((line) => line.includes("session.created"))).toBe(false);
});

test("a reload imports a local plugin anew, so what its module kept is gone; clean-up comes first", async () => {
  const told = toldLines();
  const server = processWith(telling());
  const directory = folderWith();
  await server.use({ directory });
  await server.reload();
  const where = basename(directory);
  expect(told).toEqual([`setup acme ${where} 1 {}`, `cleanup acme ${where}`, `setup acme ${where} 1 {}`]);
});

test("a package's code does not reload: its module lives on", async () => {
  const told = toldLines();
  const acme = folderWith({
    "package.json": { type: "module", exports: { "./server": "./s.js" } },
    "s.js": tellingPlugin("acme"),
  });
  const server = processWith("acme", { packages: { acme } });
  await server.use({ directory: folderWith() });
  await server.reload();
  expect(told.at(-1)).toMatch(/^setup acme \S+ 2 /);
});

test("a source that no longer imports leaves the old one running, and is reported", async () => {
  const told = toldLines();
  const plugin = telling();
  const server = processWith(plugin);
  const opened = await server.use({ directory: folderWith() });
  writeFileSync(join(plugin, "index.js"), "export default {");
  await server.reload();
  expect(told).toHaveLength(1);
  expect(opened.inventory()[0]?.state.status).toBe("failed");
});

test("a setup that throws takes its registrations along and leaves the others alone", async () => {
  const told = toldLines();
  const bad = telling(`await context.tool.hook("execute.after", () => {}); throw new Error("no");`);
  const good = folderWith({ "index.js": tellingPlugin("good") });
  const server = startProcess({ globalConfig: folderWith({ "opencode.json": { plugins: [bad, good] } }) });
  onTestFinished(() => server.stop());
  const opened = await server.use({ directory: folderWith() });
  expect(opened.inventory().map(({ state }) => state.status)).toEqual(["failed", "active"]);
  expect(opened.hooks.count("tool.execute.after")).toBe(0);
  expect(told.at(-1)).toMatch(/^setup good/);
});

test("after a reload whose setup throws the previous version runs again", async () => {
  const told = toldLines();
  const plugin = telling();
  const server = processWith(plugin);
  await server.use({ directory: folderWith() });
  writeFileSync(join(plugin, "index.js"), tellingPlugin("acme", `throw new Error("new one is broken");`));
  await server.reload();
  expect(told.map((line) => line.split(" ")[0])).toEqual(["setup", "cleanup", "setup", "setup"]);
});

test("a setup that hangs delays its location, and no other", async () => {
  const told = toldLines();
  const server = processWith(telling(`if (where.includes("slow")) await globalThis.conformanceGate;`));
  let open = () => {};
  Object.assign(globalThis, { conformanceGate: new Promise<void>((resolve) => (open = resolve)) });
  const slow = join(folderWith({ "slow/x": "" }), "slow");
  const hung = server.use({ directory: slow }).then(() => "ready");
  await server.use({ directory: folderWith() });
  expect(await Promise.race([hung, Promise.resolve("waiting")])).toBe("waiting");
  expect(told).toHaveLength(2);
  open();
  expect(await hung).toBe("ready");
});

test("an hour without an event closes a location: it is told, cleaned up, and set up again on the next use", async () => {
  const told = toldLines();
  let wall = Date.parse("2026-01-05T10:00:00Z");
  const clock = { now: () => performance.now(), wall: () => wall, after: () => () => {} };
  const server = processWith(telling(), { clock });
  const events: string[] = [];
  server.publisher.listen(({ type }) => events.push(type));
  const location = { directory: folderWith() };
  await server.use(location);
  wall += idleMs - 1;
  await server.sweep();
  expect(server.locations()).toHaveLength(1);
  wall += 1;
  await server.sweep();
  expect(server.locations()).toHaveLength(0);
  expect(events.at(-1)).toBe("location.shutdown");
  await server.use(location);
  expect(told.map((line) => line.split(" ")[0])).toEqual(["setup", "cleanup", "setup"]);
});

test("the same sweep stops a run that made no progress for an hour; its form is cancelled first", async () => {
  let wall = Date.parse("2026-01-05T10:00:00Z");
  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(run, Math.min(ms, 50));
    timer.unref();
    return () => clearTimeout(timer);
  };
  const server = startProcess({ clock: { now: () => performance.now(), wall: () => wall, after } });
  onTestFinished(() => server.stop());
  const events: string[] = [];
  server.publisher.listen(({ type, data }) => events.push(`${type} ${data.reason ?? ""}`.trim()));
  const { id } = await server.api.create({ location: { directory: folderWith() } });
  await server.api.prompt({ sessionID: id, text: "[question]" });
  await waitFor("the form", () => events.find((line) => line === "form.created"));
  wall += idleMs;
  await server.sweep();
  expect(events.slice(events.indexOf("form.cancelled"))).toEqual([
    "form.cancelled",
    "session.tool.failed",
    "session.step.failed",
    "session.usage.updated",
    "session.execution.interrupted inactivity",
  ]);
});

test("an orderly stop interrupts what runs, then cleans up; a kill does neither", async () => {
  const told = toldLines();
  const [stopped, killed] = [processWith(telling()), processWith(telling())];
  for (const server of [stopped, killed]) {
    const { id } = await server.api.create({ location: { directory: folderWith() } });
    await server.api.prompt({ sessionID: id, text: "[hang]" });
    await waitFor("the run", () => told.findLast((line) => line.includes("text.started")));
    told.length = 0;
    await (server === stopped ? server.stop() : server.kill());
    await new Promise((resolve) => setImmediate(resolve));
    if (server === stopped) expect(told.at(-1)).toMatch(/^cleanup/);
    if (server === stopped) expect(told.at(-2)).toMatch(/heard session.execution.interrupted$/);
    if (server === killed) expect(told).toEqual([]);
  }
});
