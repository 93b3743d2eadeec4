import { expect, onTestFinished, test } from "vitest";
import { folderWith, toldLines } from "./plugins.ts";
import { type ProcessOptions, startProcess } from "./server-process.ts";
import { attachTui, type TuiOptions } from "./tui-process.ts";

/** Source of a terminal plugin that tells what it is given. */
const tellingTui = (id: string, more = "") => `
const tell = (line) => globalThis.conformanceTold.push(line);
export default { id: ${JSON.stringify(id)}, async setup(context) {
  tell("setup ${id} " + JSON.stringify(context.options));
  context.renderer.on("focus", () => tell("focus"));
  context.renderer.on("blur", () => tell("blur"));
  const off = context.data.listen(({ details }) => tell(details.type + " at " + context.ui.router.current().type));
  ${more}
  return () => { off(); tell("cleanup ${id}"); };
} };`;
const server = (id: string) => `export default { id: "${id}", setup() {} };`;

async function terminalOn(
  files: Record<string, string>,
  options: Partial<TuiOptions> & { process?: ProcessOptions } = {},
) {
  const told = toldLines();
  const plugin = folderWith(files);
  const { process: processOptions, ...rest } = options;
  const host = startProcess({
    globalConfig: folderWith({ "opencode.json": { plugins: [plugin] } }),
    ...processOptions,
  });
  onTestFinished(() => host.stop());
  const location = { directory: folderWith() };
  const tui = await attachTui({ server: host, location, ...rest });
  return { told, host, tui, location, plugin };
}

test("the terminal part comes with the server's entry, without an entry of its own", async () => {
  const { told, tui } = await terminalOn({ "index.js": server("acme"), "tui.js": tellingTui("acme.tui") });
  expect(tui.running).toEqual(["acme.tui"]);
  expect(told).toEqual(["setup acme.tui {}", "server.connected at home"]);
});

test("from another machine it does not, until cli.json names it, with options of its own", async () => {
  const files = { "index.js": server("acme"), "tui.js": tellingTui("acme.tui") };
  expect((await terminalOn(files, { remote: true })).tui.running).toEqual([]);
  const acme = folderWith(files);
  const globalConfig = folderWith({ "cli.json": { plugins: [{ package: acme, options: { loud: true } }] } });
  const { told } = await terminalOn({ "index.js": server("other") }, { remote: true, globalConfig });
  expect(told[0]).toBe('setup acme.tui {"loud":true}');
});

test("a failed or disabled server part brings no terminal part", async () => {
  const { tui } = await terminalOn({ "index.js": "export default 1", "tui.js": tellingTui("acme.tui") });
  expect(tui.running).toEqual([]);
});

test.each([
  ["1.x's shape", "export default { id: 'acme', tui() {} }"],
  ["an empty id", "export default { id: '', setup() {} }"],
  ["a function", "export default () => {}"],
])("the loader refuses %s, and says so on screen", async (_, source) => {
  const { tui, plugin } = await terminalOn({ "index.js": server("acme"), "tui.js": source });
  expect(tui.failures).toEqual([`Invalid V2 TUI plugin module: ${plugin}`]);
  expect(tui.toasts).toEqual([{ variant: "error", message: `Invalid V2 TUI plugin module: ${plugin}` }]);
});

test("focus and blur come as they happen; nothing at the start, and never without reporting", async () => {
  const files = { "index.js": server("acme"), "tui.js": tellingTui("acme.tui") };
  const { told, tui } = await terminalOn(files);
  tui.blur();
  tui.focus();
  expect(told.slice(2)).toEqual(["blur", "focus"]);
  const mute = await terminalOn(files, { terminal: { focusReporting: false } });
  mute.tui.focus();
  expect(mute.told).toHaveLength(2);
});

test("every terminal gets the events of all locations, and the route is what it shows", async () => {
  const { told, host, tui } = await terminalOn({ "index.js": server("acme"), "tui.js": tellingTui("acme.tui") });
  const { id } = await host.api.create({ location: { directory: folderWith() } });
  tui.show(id);
  await host.api.prompt({ sessionID: id, text: "[plain]" });
  await host.api.wait(id);
  expect(told).toContain("session.created at home");
  expect(told).toContain("session.execution.succeeded at session");
});

test("a focused terminal that shows the session tells the server that its end was seen, once", async () => {
  const { host, tui, location } = await terminalOn({ "index.js": server("acme") });
  const viewed: unknown[] = [];
  host.publisher.listen(({ type, data }) => type === "session.viewed" && viewed.push(data));
  const { id } = await host.api.create({ location });
  const run = async () => {
    await host.api.prompt({ sessionID: id, text: "[plain]" });
    await host.api.wait(id);
  };
  await run();
  tui.show(id);
  expect(viewed).toHaveLength(0);
  tui.focus();
  tui.focus();
  expect(viewed).toEqual([{ sessionID: id, idle: host.api.get(id).time.idle }]);
  tui.blur();
  await run();
  expect(viewed).toHaveLength(1);
});

test("a call with a location reaches the server part there; without one it reaches another", async () => {
  const contract = `{ id: "acme", methods: { where: { input: { type: "object" }, output: { type: "object" } } }, events: {} }`;
  const files = {
    "index.js": `export default { id: "acme", async setup(context) {
      await context.rpc.register(${contract}, { where: () => ({ at: context.location.directory }) });
    } };`,
    "tui.js": tellingTui(
      "acme.tui",
      `const rpc = context.client.rpc(${contract});
       const here = await rpc.where({}, { location: context.location });
       tell("here " + here.at);
       const nowhere = await rpc.where({}).catch((failure) => ({ at: failure.type }));
       tell("else " + nowhere.at);`,
    ),
  };
  const { told, location } = await terminalOn(files);
  expect(told).toContain(`here ${location.directory}`);
  expect(told).toContain("else /");
});

test("attention is off by default; once on, an unknown focus skips what waits for a blur", async () => {
  const files = {
    "index.js": server("acme"),
    "tui.js": tellingTui(
      "acme.tui",
      `for (const notification of [undefined, { when: "always" }])
         tell(JSON.stringify(await context.attention.notify({ message: "hello", notification })));`,
    ),
  };
  const off = await terminalOn(files);
  expect(off.told[1]).toContain("attention_disabled");
  const on = await terminalOn(files, { attentionEnabled: true });
  expect(on.told[1]).toContain("focus_unknown");
  expect(on.told[2]).toBe('{"ok":true,"notification":true,"sound":false}');
  expect(on.tui.screen.shown).toEqual([{ message: "hello", title: undefined }]);
});

test("an orderly exit runs the clean-up; the host removes no renderer listener itself; a kill cleans nothing", async () => {
  const files = { "index.js": server("acme"), "tui.js": tellingTui("acme.tui") };
  const { told, tui } = await terminalOn(files);
  await tui.exit();
  expect(told.at(-1)).toBe("cleanup acme.tui");
  expect(tui.leftListeners()).toBe(2);
  const killed = await terminalOn(files);
  killed.tui.kill();
  await killed.host.stop();
  expect(killed.told.some((line) => line.startsWith("cleanup"))).toBe(false);
});

test("what happens while it is disconnected is never told; the return is", async () => {
  const { told, host, tui, location } = await terminalOn({
    "index.js": server("acme"),
    "tui.js": tellingTui("acme.tui"),
  });
  tui.disconnect();
  await host.api.create({ location });
  tui.reconnect();
  expect(told.slice(2)).toEqual(["server.connected at home"]);
});
